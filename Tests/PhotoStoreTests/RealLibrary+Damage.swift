import Glibc
import Platform
import SQLite
import TestSupport
import Testing

/// What a disk does to a catalogue.
extension RealLibrary {
    /// Every row of every table, beside what a rebuild does not give back.
    func rows() throws -> [String] {
        var rows: [String] = []
        try withCatalogue { rows = try dumpTables($0, except: ["decision", "clock"]) }
        return rows
    }

    /// Damage that only a full check, or a statement that needs the index, meets.
    func spoilIndexes(of table: String) throws {
        var pages: [Int] = []
        try withCatalogue { connection throws in
            pages = try connection.all(
                "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?", .text(table)
            ) { $0.int(0) }
        }
        try editCatalogue { bytes in #expect(TestSupport.spoilIndexes(startingAt: pages, in: &bytes)) }
    }

    /// Replaces a text by one as long wherever it stands in the file.
    func replaceInCatalogue(_ text: String, _ other: String) throws {
        let (old, new) = (Array(text.utf8), Array(other.utf8))
        try #require(old.count == new.count)
        try editCatalogue { bytes in
            for start in 0...(bytes.count - old.count) where bytes[start..<(start + old.count)].elementsEqual(old) {
                bytes.replaceSubrange(start..<(start + old.count), with: new)
            }
        }
    }

    private func editCatalogue(_ edit: (inout [UInt8]) throws -> Void) throws {
        var bytes = try read("catalogue.sqlite")
        try edit(&bytes)
        let file = Glibc.open(path + "/catalogue.sqlite", O_WRONLY)
        defer { close(file) }
        #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
    }
}
