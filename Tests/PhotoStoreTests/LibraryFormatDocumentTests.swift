import FoundationEssentials
import PhotoModel
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// The document says what the code does: no table, column, word or request is missing in it, and none is too much.
@Suite struct LibraryFormatDocumentTests {
    private let document: LibraryFormatDocument

    init() throws { document = try LibraryFormatDocument() }

    @Test func everyTableHasItsColumnsAndNoOther() throws {
        try withSimulatedLibrary { home in
            _ = try home.open()
            let connection = try Connection(path: "/library/catalogue.sqlite", mode: .readWrite, vfs: home.disk.name)
            defer { connection.close() }
            let tables = try connection.all(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ) { $0.text(0) }
            #expect(tables.count > 10)
            for table in tables {
                let columns = try connection.all("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
                #expect(LibraryFormatDocument.names(in: try document.section(table)) == columns, "\(table)")
            }
        }
    }

    @Test(arguments: ChangeRequest.Name.allCases)
    func everyRequestHasAnExampleOfItsVeryJSON(name: ChangeRequest.Name) throws {
        let section = try document.section(name.rawValue)
        let example = try #require(LibraryFormatDocument.examples(in: section).first)
        let requests = try changeRequests(fromHistory: "[\(example)]")
        #expect(requests.map(\.name) == [name])
        #expect(try historyText(requests) == "[\(example)]")
    }

    @Test(arguments: ChangeRequest.Name.allCases)
    func everyKeyOfARequestIsExplained(name: ChangeRequest.Name) throws {
        let section = try document.section(name.rawValue)
        let example = try #require(LibraryFormatDocument.examples(in: section).first)
        let keys = try keys(of: example)
        #expect(Set(LibraryFormatDocument.names(in: section)) == Set(keys.top).subtracting(["change"]))
        for (object, inner) in keys.objects {
            #expect(Set(try document.names(ofObject: object)) == Set(inner), "\(object)")
        }
    }

    @Test func theLineOfTheJournalIsItsVeryJSON() throws {
        let lines = LibraryFormatDocument.examples(in: document.text).filter { $0.hasPrefix(#"{"token""#) }
        let line = try #require(lines.first)
        let read = try historyDecoder().decode(JournalLine.self, from: Data(line.utf8))
        let written = HistoryLine(
            token: read.token, date: read.date, origin: read.origin, changes: try historyText(read.changes))
        #expect(written.journalText == line)
    }

    @Test func everyWordOfAClosedListIsThere() {
        let words =
            MediaType.allCases.map(\.rawValue) + AssetState.allCases.map(\.rawValue)
            + CreationDateSource.allCases.map(\.rawValue) + Residency.allCases.map(\.rawValue)
            + Condition.allCases.map(\.rawValue) + AddedBy.allCases.map(\.rawValue) + Outcome.allCases.map(\.rawValue)
            + Reason.allCases.map(\.rawValue) + TrashReason.allCases.map(\.rawValue)
            + PurgeReason.allCases.map(\.rawValue) + Departure.Evidence.allCases.map(\.rawValue)
            + ResourceType.allCases.map { String($0.rawValue) }
        for word in words {
            #expect(document.text.contains("`\(word)`"), "\(word)")
        }
    }

    @Test func everyNameInALibraryIsInTheLayout() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try home.make()
            try home.open().onThread { $0.closeInOrder() }
            let layout = try #require(document.text.split(separator: "```").dropFirst().first)
            let names = layout.split(separator: "\n").dropFirst().compactMap { line in
                line.split(separator: " ").first?.split(separator: "/").first.map(String.init)
            }
            let found = try home.inventory().compactMap { $0.split(separator: " ").first?.split(separator: "/").first }
            #expect(Set(found.map(String.init)) == Set(names))
        }
    }

    @Test func theNumbersAreThose() {
        #expect(document.text.contains("Format \(LibraryDirectory.formatVersion)."))
        #expect(document.text.contains("0x" + String(Catalogue.applicationID, radix: 16, uppercase: true)))
        #expect(document.text.contains("`user_version` \(Catalogue.migrations.last?.version ?? 0)"))
    }

    /// The keys of a JSON object, and those of the objects in it.
    ///
    /// A path that is no UTF-8 is a value, not an object.
    private func keys(of json: String) throws -> (top: [String], objects: [String: [String]]) {
        let object = try JSONDecoder().decode([String: Inner].self, from: Data(json.utf8))
        let inner = object.compactMapValues(\.keys).filter { $0.value != ["base64"] }
        return (Array(object.keys), inner)
    }

    private struct Inner: Decodable {
        var keys: [String]?

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            // What has no keys is no object.
            keys = try? decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
    }
}
