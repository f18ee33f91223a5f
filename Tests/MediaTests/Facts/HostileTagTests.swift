import FoundationEssentials
import MediaFacts
import PhotoModel
import Platform
import Testing

@testable import Media

/// Whatever stands in the tags, the facts can be kept as JSON and come back the same.
@Suite struct HostileTagTests {
    private static let words = [
        "", " ", "0", "1", "-1", "9", "6", "/", "1/0", "0/0", "1e308/1e-308", "nan", "inf", "-inf",
        "9223372036854775808",
        "4294967295/1", "2019:07:04 16:24:01", "0000:00:00 00:00:00", "9999-12-31T23:59:59Z", "+", "-", ".", ":", "T",
        "Z",
        "N", "W", "+34.0100-118.5000+018.150/", "51,30.0N", "51/1 30/1 0/1", "\0", "é", "\u{FFFD}", "Screenshot", "GMT",
    ]

    @Test(arguments: UInt64(1)...400)
    func factsAreAlwaysJSON(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var file = FileFacts()
        for tag in MediaFacts.Tag.allCases where random.happens(0.6) {
            let count = Int.random(in: 1...3, using: &random)
            file.tags[tag] = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined()
        }
        let numbers = [0, -1, .nan, .infinity, 1e300, 30, 240]
        file.duration = numbers.randomElement(using: &random)
        file.videoStream = VideoStream(codec: "", frameRate: numbers.randomElement(using: &random))
        file.codedSize = PixelSize(width: .max, height: Int.random(in: -1...1, using: &random))
        file.frameCount = [.min, 0, 1, .max].randomElement(using: &random)
        file.containerOrientation = [.min, 0, 1, 6, .max].randomElement(using: &random)
        file.trailingMovie = ByteSpan(offset: .max, count: .max)
        let kind = MediaKind.allCases.randomElement(using: &random) ?? .jpeg
        let facts = judged([:], kind: kind, name: file.tags.values.sorted().joined(), xmp: file.tags, file: file)
        let kept = try JSONDecoder().decode(AssetFacts.self, from: JSONEncoder().encode(facts))
        #expect(kept == facts, "seed \(seed)")
    }
}
