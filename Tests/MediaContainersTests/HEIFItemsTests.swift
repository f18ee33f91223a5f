import MediaBytes
import MediaContainers
import MediaFacts
import Testing

@Suite struct HEIFItemsTests {
    /// What anticlockwise turns and mirrors of the container make, as EXIF numbers it.
    @Test(arguments: [
        ([], nil), ([irot(0)], 1), ([irot(1)], 8), ([irot(2)], 3), ([irot(3)], 6), ([imir(1)], 2), ([imir(0)], 4),
        ([irot(1), imir(1)], 7), ([irot(3), imir(1)], 5), ([imir(1), irot(1)], 5),
    ])
    func turningIsReadInItsOrder(_ properties: [[UInt8]], _ orientation: Int?) throws {
        let items = try #require(HEIFItems(in: FileBytes(Made.heif(properties: properties))))
        #expect(items.orientation == orientation)
        #expect(items.codedSize == PixelSize(width: 64, height: 48))
    }

    @Test func theCleanApertureIsTheSize() throws {
        let aperture = Made.box("clap", [30, 1, 40, 1].flatMap { Made.big($0, 4) } + Made.big(0, 16))
        let items = try #require(HEIFItems(in: FileBytes(Made.heif(properties: [aperture]))))
        #expect(items.codedSize == PixelSize(width: 30, height: 40))
    }

    @Test func anApertureOfNothingIsNone() throws {
        let aperture = Made.box("clap", Made.big(0, 32))
        let items = try #require(HEIFItems(in: FileBytes(Made.heif(properties: [aperture]))))
        #expect(items.codedSize == PixelSize(width: 64, height: 48))
    }

    @Test func auxiliaryPicturesAreNamed() throws {
        let name = "urn:com:apple:photo:2020:aux:hdrgainmap"
        let items = try #require(HEIFItems(in: FileBytes(Made.heif(auxiliary: name))))
        #expect(items.auxiliaryImages == [name])
    }

    @Test func theExifItemIsFound() throws {
        let stream = Made.tiff([.text(0x010F, "Apple")])
        let items = try #require(
            HEIFItems(in: FileBytes(Made.heif(exif: Made.big(6, 4) + Made.ascii("Exif\0\0") + stream))))
        let exif = try #require(items.exif)
        #expect(exif.bytes(at: 0, count: Int(exif.byteCount)) == stream)
    }

    @Test func aFileWithoutItemsIsNone() {
        #expect(HEIFItems(in: FileBytes(Made.box("ftyp", Made.ascii("heic")))) == nil)
        #expect(HEIFItems(in: FileBytes([])) == nil)
    }

    private static func irot(_ angle: UInt8) -> [UInt8] { Made.box("irot", [angle]) }
    private static func imir(_ axis: UInt8) -> [UInt8] { Made.box("imir", [axis]) }
}
