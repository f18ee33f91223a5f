import MediaFacts
import PhotoModel
import Testing

@testable import Media

@Suite struct GeometryTests {
    private static func file(_ container: Int?) -> FileFacts {
        FileFacts(codedSize: PixelSize(width: 4032, height: 3024), containerOrientation: container)
    }

    /// Container's orientation, EXIF's, and what is shown.
    static let table: [(container: Int?, exif: String?, orientation: Int?, width: Int)] = [
        (nil, nil, nil, 4032), (nil, "1", 1, 4032), (nil, "3", 3, 4032), (nil, "5", 5, 3024), (nil, "6", 6, 3024),
        (nil, "8", 8, 3024), (nil, "0", nil, 4032), (nil, "9", nil, 4032), (nil, "-6", nil, 4032),
        (nil, "six", nil, 4032),
        // E11: turned once, by the container.
        (6, "6", 6, 3024), (1, "6", 1, 4032), (8, "6", 8, 3024), (0, "6", 6, 3024), (9, "3", 3, 4032),
        (6, nil, 6, 3024),
    ]

    @Test(arguments: table)
    func aPictureIsTurnedOnce(container: Int?, exif: String?, orientation: Int?, width: Int) {
        var tags: Tags = [:]
        tags[.orientation] = exif
        let facts = judged(tags, kind: .heic, file: Self.file(container))
        #expect(facts.orientation == orientation)
        #expect(facts.pixelWidth == width)
        #expect(facts.pixelHeight == 7056 - width)
    }

    @Test func aSizeOfNothingIsNone() {
        let facts = judged([:], file: FileFacts(codedSize: PixelSize(width: 0, height: 10)))
        #expect(facts.pixelWidth == nil && facts.pixelHeight == nil)
    }
}
