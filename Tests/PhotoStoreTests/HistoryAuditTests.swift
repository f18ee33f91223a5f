import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// Journal and history held against each other by content, and the wrong one mended from the right one.
@Suite struct HistoryAuditTests {
    private let newline = UInt8(ascii: "\n")

    /// Three changes: assets `a`, `b`, and a folder with a source.
    private func withJournal(
        _ test: String = #function, _ body: (Fixture) throws -> Void
    ) throws {
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                try library.importAssets(["b"], first: 2)
                try library.perform(Sample.registration(), Sample.source("1.jpg", 1))
            }
            try home.catchUp()
            let name = try #require(try home.names("journal").first)
            try body(Fixture(home: home, library: library, path: Array("/library/journal/\(name)".utf8)))
        }
    }

    private struct Fixture {
        let home: SimulatedLibrary
        let library: PhotoLibrary
        let path: [UInt8]

        var reader: JournalReader {
            JournalReader(files: library.machine.files, directory: library.directory.journal)
        }

        func lines() throws -> [String] {
            String(decoding: try home.program.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
        }

        func writeLines(_ lines: [String]) throws {
            try home.program.write(path, Array(lines.map { $0 + "\n" }.joined().utf8))
        }

        func editLine(_ token: Int, _ old: String, _ new: String) throws {
            var lines = try lines()
            lines[token - 1] = lines[token - 1].replacing(old, with: new)
            try writeLines(lines)
        }

        func editHistory(_ token: Int64, _ old: String, _ new: String) throws {
            try library.inside { library throws in
                try library.catalogue.connection.run(
                    "UPDATE history SET changes = replace(changes, ?, ?) WHERE token = ?", .text(old), .text(new),
                    .integer(token))
            }
        }

        func faults() throws -> [HistoryFault] {
            try library.onThread { [reader] library in
                var (audit, isMore) = (try HistoryAudit(reader, upTo: 3), true)
                while isMore { (audit, isMore) = try audit.advanced(in: library.catalogue) }
                return audit.faults
            }
        }

        /// As the daemon mends it.
        func mend(_ fault: HistoryFault) throws {
            if fault.side == .history {
                let isMended = try library.onThread { try $0.mendHistory(fault) }
                return #expect(isMended)
            }
            let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath, vfs: home.disk.name)
            defer { catalogue.close() }
            let journal = try Journal(
                machine: library.machine, directory: library.directory.journal, catalogue: catalogue)
            #expect(try journal.restore([fault.token...fault.token]) == 1)
            #expect(try library.directory.blankOut(fault, files: library.machine.files))
        }
    }

    @Test func twoThatSayTheSameHaveNoFault() throws {
        try withJournal { fixture in
            #expect(try fixture.faults() == [])
            // Half a line, as a crash leaves it, is none.
            try fixture.writeLines(fixture.lines() + [#"{"token":2,"date":"20"#])
            #expect(try fixture.faults() == [])
        }
    }

    /// A name of a key, a word of a closed list, the quote of a string: what is written is not what is read.
    @Test(
        arguments: [
            ("recordSource", "recordSourcd"), ("\"imported\"", "\"importee\""), ("\"detail\"", "\"detaim\""),
            ("\"outcome\"", "\"outcome "), ("seen", "se\u{1}n"),
        ])
    func damageOfTheHistoryIsFoundAndMendedFromTheJournal(old: String, new: String) throws {
        try withJournal("\(old)") { fixture in
            let before = try fixture.home.dump()
            try fixture.editHistory(3, old, new)
            #expect(try fixture.home.dump() != before)
            let faults = try fixture.faults()
            #expect(faults.map(\.token) == [3] && faults.map(\.side) == [.history])
            try fixture.mend(try #require(faults.first))
            #expect(try fixture.faults() == [] && fixture.home.dump() == before)
        }
    }

    /// A key that may be left out was renamed: it can be read, and is not what albumd writes.
    @Test func damageOfTheJournalIsFoundAndMendedFromTheHistory() throws {
        try withJournal { fixture in
            let before = try fixture.reader.all(after: 0)
            try fixture.editLine(1, "\"token\":1,", "\"token\":1 ,")
            #expect(try fixture.faults() == [], "it says the same")
            try fixture.editLine(1, "\"token\":1 ,", "\"token\":1,")
            try fixture.editLine(3, "\"detail\"", "\"detaim\"")
            let faults = try fixture.faults()
            #expect(faults.map(\.token) == [3] && faults.map(\.side) == [.journal])
            try fixture.mend(try #require(faults.first))
            #expect(try fixture.faults() == [])
            #expect(try fixture.reader.all(after: 0) == before)
            #expect(try JournalAudit(fixture.reader, upTo: 3).gaps == [])
        }
    }

    /// Another identifier is as good a one: both texts are said, and neither is touched.
    @Test func whereBothAreWholeAndDifferNobodyCanKnow() throws {
        try withJournal { fixture in
            let identifier = "\(Sample.identifier(2))"
            try fixture.editLine(2, identifier, "\(Sample.identifier(9))")
            let fault = try #require(try fixture.faults().first)
            #expect(fault.token == 2 && fault.side == .unknown)
            #expect(String(decoding: fault.historyText ?? [], as: UTF8.self).contains(identifier))
            #expect(try fixture.library.onThread { try $0.mendHistory(fault) } == false)
            #expect(try !fixture.library.directory.blankOut(fault, files: fixture.library.machine.files))
        }
    }

    @Test func ofTwoLinesTheOneThatTheHistoryHasIsRight() throws {
        try withJournal { fixture in
            let lines = try fixture.lines()
            let other = lines[1].replacing("\(Sample.identifier(2))", with: "\(Sample.identifier(9))")
            try fixture.writeLines([lines[0], other, lines[1], lines[2]])
            #expect(try fixture.reader.lines(after: 0).conflict?.token == 2)
            let fault = try #require(try fixture.faults().first)
            #expect(fault.side == .journal && fault.journalText == Array(other.utf8))
            try fixture.mend(fault)
            #expect(try fixture.faults() == [] && fixture.reader.lines(after: 0).conflict == nil)
        }
    }

    @Test func aChangeThatTheHistoryLacksComesFromTheJournal() throws {
        try withJournal { fixture in
            let before = try fixture.home.dump()
            try fixture.library.inside { library throws in
                try library.catalogue.connection.run("DELETE FROM history WHERE token = 2")
            }
            let faults = try fixture.faults()
            #expect(faults.map(\.side) == [.history])
            try fixture.mend(try #require(faults.first))
            #expect(try fixture.home.dump() == before)
        }
    }

    @Test func aPowerCutWhileALineIsReplacedLosesNeither() throws {
        try withJournal { fixture in
            let before = try fixture.reader.all(after: 0)
            try fixture.editLine(3, "\"detail\"", "\"detaim\"")
            try fixture.mend(try #require(try fixture.faults().first))
            fixture.home.cutPower()
            let library = try fixture.home.open()
            let reader = JournalReader(files: library.machine.files, directory: library.directory.journal)
            #expect(try reader.all(after: 0) == before)
        }
    }

    @Test func aHistoryThatIsNotUnderstoodSaysSo() {
        #expect(throws: LibraryError.historyDamaged) { try changeRequests(fromHistory: #"[{"change":"createAsseu"}]"#) }
    }
}
