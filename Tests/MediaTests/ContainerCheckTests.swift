import Media
import Testing

@Suite struct ContainerCheckTests {
    private static let mp4 = Sample.fileType("mp42", "isom") + Sample.movie("vide") + Sample.box("mdat", [1, 2, 3, 4])
    private static let heic =
        Sample.fileType("heic", "mif1") + Sample.box("meta", [0, 0, 0, 0]) + Sample.box("mdat", [1, 2])
    private static let openJPEG2000 =
        Array(Sample.jpeg2000.prefix(Sample.jpeg2000.count - 10)) + [0, 0, 0, 0] + Sample.ascii("jp2c") + [
            0xFF, 0x4F, 0xFF, 0xD9,
        ]
    private static let motionPhoto = Sample.jpeg(trailer: mp4)
    private static let mpo = Sample.jpeg(trailer: [0, 0, 0] + Sample.jpeg())

    @Test(arguments: [
        Sample.jpeg(), mpo, motionPhoto, Sample.jpeg(trailer: [0, 0, 0, 0]),
        Sample.jpeg(trailer: Sample.ascii("..SEFT")),
        Sample.png(), Sample.png() + [1], Sample.gif, Sample.gif + [0, 0, 0], Sample.riff("WEBP"),
        Sample.riff("AVI ") + Sample.riff("AVIX"), mp4, heic,
        Sample.movie("vide") + Sample.box("mdat") + [0, 0, 0, 0], Sample.jpeg2000, Sample.jpegXL,
        Sample.fileType("isom") + Sample.movie("vide") + [0, 0, 0, 1] + Sample.ascii("mdat") + Sample.big(18, 8) + [
            1, 2,
        ],
        openJPEG2000,
    ])
    func aWholeFileIsComplete(_ bytes: [UInt8]) {
        #expect(Sample.completeness(bytes) == .complete)
    }

    @Test(arguments: [Sample.jpeg(), Sample.png(), Sample.gif, Sample.riff("WEBP"), mp4, heic])
    func noPrefixOfAFileIsComplete(_ bytes: [UInt8]) {
        for count in 0..<bytes.count {
            #expect(Sample.completeness(Array(bytes.prefix(count))) != .complete, "after \(count) bytes")
        }
    }

    @Test func theEndMarkOfAThumbnailIsNotTheEndOfThePhoto() {
        let photo = Sample.jpeg()
        #expect(Sample.completeness(Array(photo.prefix(photo.count - 20))) == .incomplete)
    }

    @Test func aSecondPictureOrAMovieThatIsCutIsIncomplete() {
        #expect(Sample.completeness(Array(Self.mpo.dropLast(5))) == .incomplete)
        #expect(Sample.completeness(Array(Self.motionPhoto.dropLast(1))) == .incomplete)
    }

    @Test func aScanLongerThanTheWindowNeedsItsEndMark() {
        let scan = Array(repeating: UInt8(0x55), count: 200_000)
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 3, 1]
        #expect(Sample.completeness(start + scan + [0xFF, 0xD9]) == .complete)
        #expect(Sample.completeness(start + scan) == .incomplete)
    }

    @Test func aRecordingWithoutItsIndexIsIncomplete() {
        #expect(Sample.completeness(Sample.fileType("mp42") + Sample.box("mdat", [1, 2, 3])) == .incomplete)
        #expect(
            Sample.completeness(Sample.fileType("mp42") + [0, 0, 0, 0] + Sample.ascii("mdat") + [1, 2]) == .incomplete)
    }

    @Test func aBoxThatReachesToTheEndLeavesItOpen() {
        let open = Sample.fileType("mp42") + Sample.movie("vide") + [0, 0, 0, 0] + Sample.ascii("mdat") + [1, 2]
        #expect(Sample.completeness(open) == .undecidable)
    }

    @Test(arguments: [
        Sample.tiff("SONY", sensor: true), Sample.ascii("FUJIFILMCCD-RAW"), Sample.packets(188, 0, count: 6),
        Sample.ascii("hello"), Sample.jpeg(trailer: Sample.ascii("an unknown trailer")),
        heic + Array(repeating: 3, count: 20),
        Self.riffWithTrailer,
    ])
    func whatHasNoKnownEndIsUndecidable(_ bytes: [UInt8]) {
        #expect(Sample.completeness(bytes) == .undecidable)
    }

    private static let riffWithTrailer = Sample.riff("WEBP") + Sample.ascii("a trailer")

    @Test func anEmptyFileIsIncomplete() {
        #expect(Sample.completeness([]) == .incomplete)
    }

    @Test func countlessBoxesAreNotAllRead() {
        var reads = 0
        let bytes = Sample.fileType("mp42") + (0..<20_000).flatMap { _ in Sample.box("free") }
        let check = ContainerCheck(byteCount: Int64(bytes.count)) { offset, count in
            reads += 1
            return Sample.reader(bytes)(offset, count)
        }
        #expect(check.completeness() == .undecidable)
        #expect(reads <= 4_100)
    }

    @Test func anErrorOfTheReaderIsHandedOn() {
        struct Gone: Error, Equatable {}
        let check = ContainerCheck(byteCount: 100) { (_, _) throws(Gone) -> [UInt8] in throw Gone() }
        #expect(throws: Gone()) { try check.completeness() }
    }
}
