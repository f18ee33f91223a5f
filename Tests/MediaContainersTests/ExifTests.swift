import MediaBytes
import MediaContainers
import MediaFacts
import Testing

@Suite struct ExifTests {
    private func block(_ stream: [UInt8]) -> ExifBlock? {
        TIFFStream(FileBytes(stream)).map { stream in
            var block = ExifBlock()
            block.add(stream)
            return block
        }
    }

    @Test func aBlockHoldsWhatIsReadAndNothingElse() throws {
        let stream = Made.tiff([.text(0x010F, "Canon"), .text(0x0131, "Gone 1.0"), .short(0x0112, 6)])
        let bytes = try #require(block(stream)?.bytes)
        // Make, Orientation, and the two pointers; each entry in its order.
        #expect(bytes.starts(with: Made.ascii("Exif\0\0MM") + Made.big(42, 2) + Made.big(8, 4) + Made.big(4, 2)))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("Canon\0"))
        #expect(!text.contains("Gone"))
    }

    /// What a block says is what the next block made of it says.
    @Test func aBlockOfABlockIsTheSame() throws {
        let first = try #require(
            block(Made.tiff([.text(0x010F, "Canon"), .text(0x0110, "EOS"), .short(0x0112, 6)]))?.bytes)
        #expect(block(Array(first.dropFirst(6)))?.bytes == first)
    }

    @Test func aDirectoryThatIsTooLongIsNotRead() {
        let many = (0..<513).map { _ in Made.Entry.text(0x010F, "a") }
        #expect(block(Made.tiff(many))?.bytes == nil)
    }

    @Test func aValueBeyondTheStreamIsPassedOver() throws {
        var stream = Made.tiff([.text(0x010F, "Canon Inc."), .short(0x0112, 6)])
        stream.replaceSubrange(18..<22, with: Made.big(1 << 30, 4))
        let bytes = try #require(block(stream)?.bytes)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Canon"))
    }

    @Test func directoriesThatNameThemselvesEnd() {
        let stream = Made.tiff([.long(0x014A, 8), .short(0x0100, 10), .short(0x0101, 20)], next: 8)
        #expect(TIFFStream(FileBytes(stream))?.pictureSize == nil)
    }

    @Test func theLargestFullPictureIsTheSize() {
        let full = 8 + 6 + 12 * 4
        let preview = Made.tiff([.long(0x00FE, 1), .short(0x0100, 16), .short(0x0101, 12), .long(0x014A, full)])
        let picture = Made.directory([.long(0x00FE, 0), .short(0x0100, 640), .short(0x0101, 480)], at: full)
        #expect(TIFFStream(FileBytes(preview + picture))?.pictureSize == PixelSize(width: 640, height: 480))
    }

    @Test func panasonicStatesBorders() {
        let stream = Made.tiff([.short(4, 10), .short(5, 8), .short(6, 2746), .short(7, 3656)])
        #expect(TIFFStream(FileBytes(stream))?.pictureSize == PixelSize(width: 3648, height: 2736))
    }

    @Test(
        arguments: [[], [0x4D, 0x4D, 0, 43, 0, 0, 0, 8], [0x49, 0x4D, 0, 42, 0, 0, 0, 8], [0x4D, 0x4D, 0, 42]]
            as [[UInt8]])
    func whatIsNoTIFFIsNone(_ bytes: [UInt8]) { #expect(TIFFStream(FileBytes(bytes)) == nil) }

    /// libexif 0.6.24 gives two bytes of nonsense for the texts, and stops at a type that EXIF has not.
    @Test func applesNoteIsRead() throws {
        let odd = Made.Entry(number: 0x17, type: 16, count: 1, value: Made.big(9, 8))
        let entries = [
            odd, .text(0x000B, "D4E4B3D1-0E45"), .text(0x0011, "C3754624-A05F"),
            Made.Entry(number: 0x14, type: 9, count: 1, value: Made.big(-1, 4)),
        ]
        let note = try #require(AppleNote(Made.ascii("Apple iOS\0\0\u{1}MM") + Made.directory(entries, at: 14)))
        #expect(
            note.tags == [
                .appleBurstUUID: "D4E4B3D1-0E45", .appleContentIdentifier: "C3754624-A05F",
                .appleImageCaptureType: "-1",
            ])
        #expect(AppleNote(Made.ascii("Nikon\0")) == nil)
    }
}
