import MediaBytes
import MediaContainers
import MediaFacts
import Testing

@Suite struct ChunksAndSegmentsTests {
    private let stream = Made.tiff([.text(0x010F, "Apple")])

    @Test func aPNGTellsItsFramesAndItsExif() {
        let png =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Made.chunk("IHDR", Array(repeating: 1, count: 13))
            + Made.chunk("acTL", Made.big(7, 4) + Made.big(0, 4)) + Made.chunk("IDAT", [1, 2, 3])
            + Made.chunk("eXIf", stream) + Made.chunk("IEND", [])
        let chunks = PNGChunks(in: FileBytes(png))
        #expect(chunks.frameCount == 7)
        #expect(chunks.exif?.byteCount == Int64(stream.count))
    }

    @Test func aJPEGTellsItsFirstExifAndXMP() {
        let packet = Made.ascii("<x:xmpmeta/>")
        let jpeg =
            [0xFF, 0xD8] + segment(0xE0, Made.ascii("JFIF\0")) + segment(0xE1, Made.ascii("Exif\0\0") + stream)
            + segment(0xE1, Made.ascii("http://ns.adobe.com/xap/1.0/\0") + packet)
            + segment(0xE1, Made.ascii("Exif\0\0other")) + [0xFF, 0xDA, 0, 3, 1]
        let segments = JPEGSegments(in: FileBytes(jpeg))
        #expect(segments.exif?.byteCount == Int64(stream.count))
        #expect(segments.xmp == packet)
    }

    @Test func aSegmentThatIsCutIsReadAsFarAsItGoes() {
        let jpeg = [0xFF, 0xD8] + segment(0xE1, Made.ascii("Exif\0\0") + stream)
        #expect(JPEGSegments(in: FileBytes(jpeg.dropLast(4))).exif?.byteCount == Int64(stream.count - 4))
    }

    @Test(arguments: [(100, 50), (100, -50)])
    func aBitmapTellsItsSize(_ width: Int, _ height: Int) {
        let bitmap =
            Made.ascii("BM") + Made.big(0, 12) + Made.little(40, 4) + Made.little(width, 4) + Made.little(height, 4)
        #expect(PixelSize(bitmap: FileBytes(bitmap)) == PixelSize(width: 100, height: 50))
    }

    @Test func aPhotoshopDocumentTellsItsSize() {
        let document =
            Made.ascii("8BPS") + Made.big(1, 2) + Made.big(0, 6) + Made.big(3, 2) + Made.big(50, 4) + Made.big(100, 4)
        #expect(PixelSize(photoshop: FileBytes(document)) == PixelSize(width: 100, height: 50))
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + Made.big(content.count + 2, 2) + content
    }
}
