import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

@Suite struct JournalAuditTests {
    @Test(
        arguments: [
            ([1, 2, 3], 3, []), ([], 0, []), ([], 2, [1...2]), ([2, 1, 3, 2], 3, []), ([1, 4, 5], 6, [2...3, 6...6]),
            ([1, 9], 4, [2...4]), ([3], 3, [1...2]), ([1, 2, 7], 2, []),
        ] as [([Int64], Int64, [ClosedRange<Int64>])])
    func gapsAreTheTokensThatNoLineHas(tokens: [Int64], upTo: Int64, gaps: [ClosedRange<Int64>]) {
        var index = JournalIndex()
        for token in tokens { index.add(token, in: [], at: 0) }
        #expect(index.gaps(upTo: upTo) == gaps)
    }

    @Test func aTornLineWhoseChangeStandsInALaterOneIsNoGap() throws {
        try withJournal { home, library, path in
            let whole = try home.program.read(path)
            let lines = whole.split(separator: UInt8(ascii: "\n")).map(Array.init)
            #expect(lines.count == 2)
            let torn = Array(lines[1].prefix(20))
            try home.program.write(path, lines[0] + [10] + torn + [10] + lines[1] + [10])
            let audit = try audit(library, upTo: 2)
            #expect(audit.lineCount == 2 && audit.tornCount == 1 && audit.gaps == [] && audit.newest == 2)
            try home.program.write(path, whole + lines[0] + [10])
            #expect(try self.audit(library, upTo: 2).changeCount(upTo: 2) == 2)
            try home.program.write(path, lines[0] + [10] + torn + [10])
            #expect(try self.audit(library, upTo: 2).gaps == [2...2])
            #expect(try self.audit(library, upTo: 2).changeCount(upTo: 2) == 1)
        }
    }

    /// What is written again stands after the newest line, and the file still ends with the newest token.
    @Test func lostLinesAreWrittenAgainAndReadInOrder() throws {
        try withJournal { home, library, path in
            let whole = try home.program.read(path)
            let lines = whole.split(separator: UInt8(ascii: "\n")).map(Array.init)
            try home.program.write(path, lines[1] + [10])
            #expect(try audit(library, upTo: 2).gaps == [1...1])
            let catalogue = try Catalogue.openForWriting(at: library.directory.cataloguePath, vfs: home.disk.name)
            defer { catalogue.close() }
            let journal = try Journal(
                machine: library.machine, directory: library.directory.journal, catalogue: catalogue)
            #expect(try journal.restore([1...1]) == 1)
            #expect(try audit(library, upTo: 2).gaps == [])
            let reader = JournalReader(files: library.machine.files, directory: library.directory.journal)
            #expect(try reader.lastToken() == 2)
            #expect(try reader.all(after: 0).map(\.token) == [1, 2])
        }
    }

    private func audit(_ library: PhotoLibrary, upTo token: Int64) throws -> JournalAudit {
        try JournalAudit(
            JournalReader(files: library.machine.files, directory: library.directory.journal), upTo: token)
    }

    private func withJournal(
        _ test: String = #function, _ body: (SimulatedLibrary, PhotoLibrary, [UInt8]) throws -> Void
    ) throws {
        // The disk is named after the test.
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.perform(Sample.album(100))
            }
            let catalogue = try Catalogue.openForWriting(
                at: library.directory.cataloguePath, vfs: home.disk.name)
            defer { catalogue.close() }
            _ = try Journal(
                machine: library.machine, directory: library.directory.journal, catalogue: catalogue
            ).catchUp()
            let name = try #require(try home.names("journal").first)
            try body(home, library, Array("/library/journal/\(name)".utf8))
        }
    }
}
