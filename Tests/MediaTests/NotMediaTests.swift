import Media
import Testing

@Suite struct NotMediaTests {
    private func verdict(_ bytes: [UInt8], _ name: String) throws -> MediaRecogniser.Verdict {
        try MediaRecogniser().recognise(Sample.ends(bytes), name: Sample.ascii(name))
    }

    @Test(arguments: [
        ("IMG_1.HEIC", Sample.jpeg(), MediaKind.jpeg), ("IMG_2.JPG", Sample.fileType("heic", "mif1"), .heic),
        ("shot.jpg", Sample.png(), .png), ("clip.jpg", Sample.fileType("qt  "), .mov),
        ("notes.txt", Sample.jpeg(), .jpeg),
        ("", Sample.jpeg(), .jpeg),
    ])
    func theContentDecidesWhereTheNameLies(_ name: String, _ bytes: [UInt8], _ kind: MediaKind) throws {
        #expect(try verdict(bytes, name) == .media(kind))
    }

    @Test(arguments: [
        ("text.jpg", "Dear diary, today I wrote a letter.\n", "text/plain"),
        ("page.jpg", "<!DOCTYPE html><html><body>hello</body></html>\n", "text/html"),
        ("draw.png", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n", "image/svg+xml"),
        ("paper.jpg", "%PDF-1.7\n1 0 obj\n", "application/pdf"),
        ("IMG_1.xmp", "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"></x:xmpmeta>\n", "text/plain"),
        ("IMG_1.AAE", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist></plist>\n", "text/xml"),
    ])
    func whatIsWrittenIsNoPhotoWhateverItsName(_ name: String, _ text: String, _ type: String) throws {
        #expect(try verdict(Sample.ascii(text), name) == .notMedia(type))
    }

    @Test(arguments: [
        (Sample.fileType("M4A ", "isom"), "audio/mp4"), (Sample.fileType("mp42") + Sample.movie("soun"), "audio/mp4"),
        (Sample.riff("WAVE"), "audio/x-wav"), (Sample.ascii("FLV") + [1, 4], "audio/x-flv"),
        (Sample.ascii("ID3") + [3, 0, 0, 0, 0, 0, 0, 0xFF, 0xFB, 0x90, 0x64], "audio/mpeg"),
    ])
    func soundAloneIsNotMedia(_ bytes: [UInt8], _ type: String) throws {
        #expect(try verdict(bytes, "IMG_1.mp4") == .notMedia(type))
    }

    @Test func soundBehindALargeMovieBodyIsStillSoundAlone() throws {
        let body = Sample.box("mdat", Array(repeating: 7, count: 200_000))
        let recording = Sample.fileType("mp42") + body + Sample.movie("soun")
        #expect(try verdict(recording, "memo.mp4") == .notMedia("audio/mp4"))
        let film = Sample.fileType("mp42") + body + Sample.movie("soun", "vide")
        #expect(try verdict(film, "film.mp4") == .media(.mp4))
    }

    @Test func anEmptyFileIsCalledEmpty() throws {
        #expect(try verdict([], "IMG_1.jpg") == .notMedia("empty"))
    }

    @Test(arguments: ["IMG_1.jpg", "IMG_1.Jpg", "CLIP.R3D", "a.b.tga", "caf\u{e9}.heic"])
    func undecidedBytesUnderAMediaNameAreKeptAsUnknown(_ name: String) throws {
        #expect(try verdict(Array(repeating: 0, count: 5000), name) == .unknownMedia(.unknown))
    }

    @Test(arguments: ["disk.img", "jpg", ".jpg", "core", "IMG_1.jpg.part", "x."])
    func undecidedBytesUnderAnyOtherNameAreNot(_ name: String) throws {
        #expect(try verdict(Array(repeating: 0, count: 5000), name) == .notMedia("application/octet-stream"))
    }

    @Test func libmagicDecidesWhatNoSignatureKnows() throws {
        #expect(try verdict(Sample.ascii("P6\n2 2\n255\n") + Array(repeating: 200, count: 12), "x") == .media(.ppm))
        #expect(try verdict([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 4], "x.jpg") == .notMedia("application/gzip"))
    }

    @Test(arguments: ["Now skip the rest of this text", "The free press of the world is free to say so"])
    func proseWithTheNameOfAnAtomIsNoMovie(_ text: String) throws {
        #expect(try verdict(Sample.ascii(text), "a.mov") == .notMedia("text/plain"))
    }
}
