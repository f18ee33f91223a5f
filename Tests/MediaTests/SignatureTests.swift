import Media
import PhotoModel
import Testing

@Suite struct SignatureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var kind: MediaKind
        var bytes: [UInt8]
        var testDescription: String { kind.rawValue }

        init(_ kind: MediaKind, _ bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }
    }

    static let stills: [Case] = [
        Case(.jpeg, Sample.jpeg()), Case(.jpeg, [0xFF, 0xD8, 0xFF]), Case(.png, Sample.png()),
        Case(.apng, Sample.png(animated: true)), Case(.gif, Sample.gif), Case(.gif, Sample.ascii("GIF87a")),
        Case(.webp, Sample.riff("WEBP")), Case(.bmp, Sample.bitmap), Case(.psd, Sample.ascii("8BPS") + [0, 1]),
        Case(.exr, [0x76, 0x2F, 0x31, 1, 2]), Case(.jp2, Sample.jpeg2000), Case(.j2k, [0xFF, 0x4F, 0xFF, 0x51, 0]),
        Case(.jxl, Sample.jpegXL), Case(.jxl, [0xFF, 0x0A, 0x41]), Case(.jxr, [0x49, 0x49, 0xBC, 1, 8, 0, 0, 0]),
        Case(.heic, Sample.fileType("heic", "mif1")), Case(.heic, Sample.fileType("heix", "mif1")),
        Case(.heic, Sample.fileType("mif1", "mif1", "heic")), Case(.heic, Sample.fileType("msf1", "hevc")),
        Case(.heic, Sample.fileType("hevc", "msf1")), Case(.heif, Sample.fileType("mif1", "miaf")),
        Case(.avif, Sample.fileType("avif", "mif1")), Case(.avif, Sample.fileType("avis", "msf1", "iso8")),
        Case(.avif, Sample.fileType("mif1", "avif", "miaf")),
    ]

    static let raws: [Case] = [
        Case(.cr3, Sample.fileType("crx ", "isom")), Case(.rw2, Sample.ascii("IIU\0") + [0x18, 0, 0, 0]),
        Case(.cr2, Sample.ascii("II*\0") + [16, 0, 0, 0] + Sample.ascii("CR") + [2, 0]),
        Case(.orf, Sample.ascii("IIRO")), Case(.orf, Sample.ascii("IIRS")), Case(.orf, Sample.ascii("MMOR")),
        Case(.raf, Sample.ascii("FUJIFILMCCD-RAW 0201")), Case(.x3f, Sample.ascii("FOVb")),
        Case(.mrw, Sample.ascii("\0MRM")), Case(.crw, Sample.ascii("II") + [26, 0, 0, 0] + Sample.ascii("HEAPCCDR")),
        Case(.iiq, Sample.ascii("IIII") + [4] + Sample.ascii("waR")), Case(.iiq, Sample.ascii("MMMMRaw") + [4]),
        Case(.dng, Sample.tiff("Leica", tags: [Sample.Tag(number: 0xC612, type: 1, value: 0x0401)])),
        Case(.dng, Sample.tiff("NIKON", isBig: true, tags: [Sample.Tag(number: 0xC612, value: 1)], sensor: true)),
        Case(.nef, Sample.tiff("NIKON CORPORATION", sensor: true)),
        Case(.nef, Sample.tiff("NIKON", isBig: true, tags: preview)), Case(.arw, Sample.tiff("SONY", tags: preview)),
        Case(.pef, Sample.tiff("PENTAX Corporation", tags: [Sample.Tag(number: 0x103, type: 3, value: 65535)])),
        Case(.srw, Sample.tiff("SAMSUNG", sensor: true)), Case(.hasselblad, Sample.tiff("Hasselblad", tags: preview)),
        Case(.tiff, Sample.tiff("NIKON CORPORATION")), Case(.tiff, Sample.tiff("", isBig: true)),
        Case(.tiff, Sample.tiff("Nobody", sensor: true)), Case(.tiff, [0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]),
    ]

    private static let preview = [Sample.Tag(number: 0xFE, value: 1), Sample.Tag(number: 0x14A, value: 90_000)]

    static let videos: [Case] = [
        Case(.mov, Sample.fileType("qt  ", "qt  ")), Case(.mov, Sample.movie("vide")),
        Case(.mov, Sample.box("wide") + Sample.box("mdat", [1, 2])),
        Case(.mov, Sample.box("mdat", [1]) + Sample.movie("vide")),
        Case(.mov, Sample.box("free", [0, 0]) + Sample.movie("vide")),
        Case(.mov, Sample.box("skip") + Sample.box("moov")),
        Case(.mov, Sample.box("pnot", [0, 0]) + Sample.box("PICT")),
        Case(.mp4, Sample.fileType("mp42", "isom")), Case(.mp4, Sample.fileType("isom") + Sample.movie("soun", "vide")),
        Case(.mp4, Sample.fileType("LDXC")), Case(.m4v, Sample.fileType("M4V ")), Case(.m4v, Sample.fileType("M4VH")),
        Case(.threeGP, Sample.fileType("3gp4", "isom")), Case(.threeG2, Sample.fileType("3g2a")),
        Case(.mj2, Sample.box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + Sample.fileType("mjp2")),
        Case(.avi, Sample.riff("AVI ")), Case(.mkv, Sample.matroska("matroska")), Case(.webm, Sample.matroska("webm")),
        Case(.ts, Sample.packets(188, 0, count: 5)), Case(.mts, Sample.packets(192, 4, count: 9)),
        Case(.mpg, [0, 0, 1, 0xBA, 0x44, 0]), Case(.mpg, [0, 0, 1, 0xBA, 0x21, 0]),
        Case(.flv, Sample.ascii("FLV") + [1, 5]),
        Case(.mxf, [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02]),
        Case(.wmv, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11]),
    ]

    @Test(arguments: stills + raws + videos)
    func eachFormatIsKnownByItsFirstBytes(_ sample: Case) throws {
        let verdict = try MediaRecogniser().recognise(Sample.ends(sample.bytes), name: Sample.ascii("noname"))
        #expect(verdict == .media(sample.kind))
    }

    @Test func stillsAreImagesAndMoviesAreVideos() {
        #expect((SignatureTests.stills + SignatureTests.raws).allSatisfy { $0.kind.mediaType == .image })
        #expect(SignatureTests.videos.allSatisfy { $0.kind.mediaType == .video })
        #expect(MediaKind.unknown.mediaType == .unknown)
    }

    @Test func mediaTypesCarryPhotoKitsNumbers() {
        #expect([MediaType.unknown, .image, .video, .audio].map(\.photoKitRawValue) == [0, 1, 2, 3])
    }

    @Test func anExtensionIsOneWordInLowerCase() {
        #expect(MediaKind.jpeg.preferredExtension == "jpg" && MediaKind.unknown.preferredExtension == "bin")
        for kind in MediaKind.allCases {
            #expect(kind.preferredExtension.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 })
            #expect(kind.mimeType.split(separator: "/").count == 2)
        }
    }
}
