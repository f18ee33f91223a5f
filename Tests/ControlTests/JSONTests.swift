import Control
import FoundationEssentials
import PhotoModel
import Testing

/// What albumd writes is what FoundationEssentials' encoder would write, only sooner.
struct JSONTests {
    private struct Value: Codable, Equatable {
        struct Empty: Codable, Equatable {}

        enum Word: String, Codable { case two, one }

        var zeta = "z"
        var alpha: [String: Int] = ["b": 2, "a": 1, "ab": 3, "": 0]
        var missing: Int?
        var numbers: [Double] = [0, -1, 0.5, 1e-7, 12_345_678.25, 1e20]
        var largest = UInt64.max
        var smallest = Int64.min
        var isTrue = true
        var lists: [[Word]] = [[], [.two, .one], [.one]]
        var empty = Empty()
        var nested: [[String: [Empty]]] = [["y": [], "x": [Empty(), Empty()]], [:]]
        var optional: [Int?] = [nil, 1]
    }

    private func foundation(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func ours(_ value: some Encodable) -> String { String(decoding: JSON.encode(value), as: UTF8.self) }

    @Test func everyShapeIsWrittenAsFoundationDoes() throws {
        let value = Value()
        #expect(try foundation(value.nested) == ours(value.nested))
        #expect(try foundation(value.optional) == ours(value.optional))
        // Numbers may be written otherwise, as long as they are the same.
        #expect(try JSON.decode(Value.self, from: JSON.encode(value)) == value)
        var whole = value
        whole.numbers = [0, -1, 0.5, 12_345_678.25]
        #expect(try foundation(whole) == ours(whole))
    }

    @Test(arguments: [
        "", "plain", "a\"b\\c/d", "tab\tline\nreturn\r", "Grüße 日本 👩‍👩‍👧", "e\u{301}", "\u{10FFFD}x", "\u{1}\u{1F}",
    ])
    func textIsReadAsItWasWritten(text: String) throws {
        let bytes = JSON.encode(["key": text])
        #expect(try JSONDecoder().decode([String: String].self, from: Data(bytes)) == ["key": text])
        #expect(JSON.inert(bytes) == bytes)
    }

    @Test func keysAreEscapedAsText() throws {
        let names = ["a\"\u{7}": 1, "\u{202E}": 2]
        #expect(try JSONDecoder().decode([String: Int].self, from: Data(JSON.encode(names))) == names)
        #expect(!ours(names).unicodeScalars.contains("\u{202E}"))
    }

    /// In a list they write themselves, and alone as any other value.
    @Test func rowsOfListsAreWrittenAsAnyValue() throws {
        for row in [emptyRow(), try fullRow()] {
            #expect(ours([row]) == "[\(ours(row))]")
            #expect(try foundation(ours: row) == ours([row]))
            #expect(try JSON.decode([AssetRow].self, from: JSON.encode([row])) == [row])
        }
    }

    private func foundation(ours row: AssetRow) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.rfc3339)
        }
        return String(decoding: try encoder.encode([row]), as: UTF8.self)
    }

    private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    private func emptyRow() -> AssetRow {
        let asset = Asset(
            localIdentifier: LocalIdentifier(uuid), mediaType: .unknown, creationDate: Date(microseconds: 0),
            creationDateSource: .added, addedDate: Date(microseconds: 1), modificationDate: Date(microseconds: 2),
            state: .live, resources: [])
        return AssetRow(asset, isPinned: false, until: nil)
    }

    /// Every member is there.
    private func fullRow() throws -> AssetRow {
        let bytes = (0..<32).map { UInt8($0) }
        let content = Content(
            hash: try #require(ContentHash(bytes: bytes)), byteCount: .max, contentType: "image/jpeg",
            fileExtension: "jpg")
        let version = Version(
            content: content, addedDate: Date(microseconds: 3), residency: .both, condition: .sound,
            transfer: .uploading)
        let name = PathBytes([0xFF, UInt8(ascii: "\""), 0x1B])
        let trashing = Trashing(date: Date(microseconds: 4), reason: .person, folder: uuid, runningSeconds: 5)
        let asset = Asset(
            localIdentifier: LocalIdentifier(uuid), mediaType: .image, creationDate: Date(microseconds: 0),
            creationDateSource: .captured, addedDate: Date(microseconds: 1), modificationDate: Date(microseconds: 2),
            state: .trashed, trashing: trashing,
            resources: [Resource(type: .photo, originalFilename: name, versions: [version, version])])
        var row = AssetRow(asset, isPinned: true, until: Date(microseconds: 6))
        row.resources[0].pairing = "is the movie of it"
        row.resources[0].sources = [ResourceSourceRow(name, isGone: true)]
        row.facts = AssetFacts()
        row.smartAlbums = [.recents, .panoramas]
        row.unreadable = "it is broken"
        row.burst = BurstRow(count: 7, representative: LocalIdentifier(uuid))
        let absent = Mirror(reflecting: row).children.filter { "\($0.value)" == "nil" }
        #expect(absent.isEmpty)
        return row
    }

    /// RULES S7.
    @Test(arguments: ["\u{7F}", "\u{9B}2J", "\u{202E}gpj", "\u{200B}", "\u{E000}", "\u{2028}"])
    func nothingInItIsObeyedByATerminal(text: String) {
        #expect(ours([text]).utf8.allSatisfy { $0 < 0x7F && $0 >= 0x20 })
    }

    @Test func instantsAreRFC3339() {
        #expect(ours([Date(microseconds: 1_796_004_069_250_000)]) == #"["2026-11-30T02:01:09.250000Z"]"#)
        #expect(ours([Date(microseconds: -1)]) == #"["1969-12-31T23:59:59.999999Z"]"#)
    }
}
