import Media
import MediaFacts
import Platform
import TestSupport
import Testing

/// What each library reads, of files made here: also where there is no corpus.
@Suite struct WorkerReadingTests {
    private let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
        xmlns:Container="http://ns.google.com/photos/1.0/container/"
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/" GCamera:MotionPhoto="1">
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Am Strand</rdf:li></rdf:Alt></dc:title>
        <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>sand castle</rdf:li></rdf:Bag></dc:subject>
        <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary"/></rdf:li>
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="MotionPhoto" Item:Length="1234"/></rdf:li>
        </rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
        """

    private var exif: [UInt8] {
        let values = Sample.ascii("2019:06:09 12:57:32\0")
        // Three entries end at 50, where the next directory has one, which ends at 68.
        let make = Sample.big(0x010F, 2) + Sample.big(2, 2) + Sample.big(4, 4) + Sample.ascii("Me!\0")
        let orientation = Sample.big(0x0112, 2) + Sample.big(3, 2) + Sample.big(1, 4) + Sample.big(6, 2) + [0, 0]
        let pointer = Sample.big(0x8769, 2) + Sample.big(4, 2) + Sample.big(1, 4) + Sample.big(50, 4)
        let date = Sample.big(0x9003, 2) + Sample.big(2, 2) + Sample.big(20, 4) + Sample.big(68, 4)
        return Sample.ascii("MM") + Sample.big(42, 2) + Sample.big(8, 4)
            + Sample.big(3, 2) + make + orientation + pointer + Sample.big(0, 4)
            + Sample.big(1, 2) + date + Sample.big(0, 4) + values
    }

    @Test func libexifReadsWhatAJPEGSays() throws {
        guard let facts = try read(jpeg(with: Sample.ascii("Exif\0\0") + exif), .jpeg) else { return }
        #expect(facts.tags == [.make: "Me!", .orientation: "6", .dateTimeOriginal: "2019:06:09 12:57:32"])
        #expect(facts.codedSize != nil)
    }

    @Test func exempiReadsWhatAJPEGSays() throws {
        let mark = Sample.ascii("http://ns.adobe.com/xap/1.0/\0")
        guard let facts = try read(jpeg(with: mark + Sample.ascii(packet)), .jpeg) else { return }
        #expect(facts.tags == tagsOfPacket)
    }

    @Test func aJPEGIsReadByItsIPTCToo() throws {
        let records = [0x1C, 2, 5, 0, 5] + Sample.ascii("Title") + [0x1C, 2, 25, 0, 4] + Sample.ascii("word")
        let resources =
            Sample.ascii("Photoshop 3.0\0") + Sample.ascii("8BIM") + [4, 4, 0, 0] + Sample.big(records.count, 4)
            + records
        guard let facts = try read(jpeg(with: resources, marker: 0xED), .jpeg) else { return }
        #expect(facts.tags == [.iptcTitle: "Title", .iptcKeywords: "word"])
    }

    @Test func exempiReadsASidecar() throws {
        guard let bench = WorkerBench() else { return }
        try withScratchFolder { scratch in
            let file = try write(Sample.ascii(packet), in: scratch, bench)
            #expect(bench.worker.readSidecar(file) == .facts(FileFacts(tags: tagsOfPacket)))
        }
    }

    @Test func libvipsReadsTheSizeAndAPNGItsOwnExif() throws {
        var png = SampleMedia.png(1)
        // Behind the signature and the header's chunk.
        png.insert(contentsOf: Sample.chunk("eXIf", exif), at: 33)
        guard let facts = try read(png, .png) else { return }
        #expect(facts.codedSize == PixelSize(width: 1, height: 1))
        #expect(facts.frameCount == 1)
        #expect(facts.tags[.orientation] == "6")
    }

    @Test func aBombIsNoFact() throws {
        let bitmap =
            Sample.ascii("BM") + Sample.big(0, 12) + Sample.little(40, 4) + Sample.little(60_000, 4)
            + Sample.little(60_000, 4)
        guard let bench = WorkerBench() else { return }
        try withScratchFolder { scratch in
            let reading = bench.worker.readFacts(of: try write(bitmap, in: scratch, bench), .bmp)
            #expect(
                reading
                    == .unreadable(reason: "its header states 60000 x 60000 pixels, which is not credible"))
        }
    }

    /// Also of a few bytes: libvips 8.14 aborts over a short file that it does not know, if asked carelessly.
    @Test(arguments: MediaKind.allCases)
    func noiseIsUnreadableWhateverItIsCalled(_ kind: MediaKind) throws {
        guard let bench = WorkerBench() else { return }
        try withScratchFolder { scratch in
            for count in [0, 1, 44, 5000] {
                let file = try write(SampleMedia.noise(count, 7), in: scratch, bench)
                guard case .unreadable(let reason) = bench.worker.readFacts(of: file, kind) else {
                    Issue.record("noise has facts")
                    return
                }
                #expect(!reason.contains("gave up"), "\(reason)")
            }
        }
    }

    private var tagsOfPacket: [MediaFacts.Tag: String] {
        [
            .xmpRating: "4", .xmpTitle: "Am Strand", .xmpSubject: "sea\nsand castle", .motionPhoto: "1",
            .motionPhotoLength: "1234",
        ]
    }

    private func jpeg(with segment: [UInt8], marker: UInt8 = 0xE1) -> [UInt8] {
        let picture = SampleMedia.jpeg(1)
        let mark: [UInt8] = [0xFF, marker] + Sample.big(segment.count + 2, 2)
        return Array(picture[..<2]) + mark + segment + Array(picture[2...])
    }

    private func read(_ bytes: [UInt8], _ kind: MediaKind) throws -> FileFacts? {
        guard let bench = WorkerBench() else { return nil }
        return try withScratchFolder { scratch in
            let reading = bench.worker.readFacts(of: try write(bytes, in: scratch, bench), kind)
            guard case .facts(let facts) = reading else {
                Issue.record("\(String(describing: reading))")
                return nil
            }
            return facts
        }
    }

    private func write(_ bytes: [UInt8], in scratch: ScratchFolder, _ bench: WorkerBench) throws -> OpenFile {
        try PosixProgram().write(Array(scratch.path("a").utf8), bytes)
        return try bench.file(at: scratch.path("a"))
    }
}
