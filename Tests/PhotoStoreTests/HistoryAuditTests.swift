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

        /// The journal as an older albumd wrote it.
        func removeSums() throws { try writeLines(lines().map(withoutSum)) }

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
            try restore(fault.token)
            #expect(try library.directory.blankOut(fault, files: library.machine.files))
        }

        func restore(_ token: Int64) throws {
            let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath, vfs: home.disk.name)
            defer { catalogue.close() }
            let journal = try Journal(
                machine: library.machine, directory: library.directory.journal, catalogue: catalogue)
            #expect(try journal.restore([token...token]) == 1)
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
        ], [true, false])
    func damageOfTheHistoryIsFoundAndMendedFromTheJournal(words: (old: String, new: String), hasSums: Bool) throws {
        let (old, new) = words
        try withJournal("\(old) \(hasSums)") { fixture in
            if !hasSums { try fixture.removeSums() }
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
    @Test(arguments: [true, false]) func damageOfTheJournalIsFoundAndMendedFromTheHistory(hasSums: Bool) throws {
        try withJournal("journal \(hasSums)") { fixture in
            if !hasSums { try fixture.removeSums() }
            let before = try fixture.reader.all(after: 0)
            try fixture.editLine(1, "\"token\":1,", "\"token\":1 ,")
            #expect(try fixture.faults().map(\.side) == (hasSums ? [.journal] : []), "it says the same")
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

    /// Another identifier is as good a one: without a sum both texts are said, and neither is touched.
    @Test func whereBothAreWholeAndDifferNobodyCanKnow() throws {
        try withJournal { fixture in
            try fixture.removeSums()
            let identifier = "\(Sample.identifier(2))"
            try fixture.editLine(2, identifier, "\(Sample.identifier(9))")
            let fault = try #require(try fixture.faults().first)
            #expect(fault.token == 2 && fault.side == .unknown)
            #expect(String(decoding: fault.historyText ?? [], as: UTF8.self).contains(identifier))
            #expect(try fixture.library.onThread { try $0.mendHistory(fault) } == false)
            #expect(try !fixture.library.directory.blankOut(fault, files: fixture.library.machine.files))
        }
    }

    /// Another identifier in the journal, or in the history: the sum says which it is.
    @Test(arguments: [HistoryFault.Side.journal, .history]) func withASumTheRightSideIsKnown(
        wrong: HistoryFault.Side
    ) throws {
        try withJournal("wrong \(wrong)") { fixture in
            let (rows, lines) = (try fixture.home.dump(), try fixture.reader.all(after: 0))
            let (old, new) = ("\(Sample.identifier(2))", "\(Sample.identifier(9))")
            if wrong == .journal { try fixture.editLine(2, old, new) } else { try fixture.editHistory(2, old, new) }
            let fault = try #require(try fixture.faults().first)
            #expect(fault.token == 2 && fault.side == wrong)
            try fixture.mend(fault)
            #expect(try fixture.faults() == [])
            #expect(try fixture.home.dump() == rows && fixture.reader.all(after: 0) == lines)
        }
    }

    /// A line that is damaged beside a history that is, too: neither is believed.
    @Test func whereBothAreDamagedNobodyCanKnow() throws {
        try withJournal { fixture in
            try fixture.editLine(3, "\"seen\"", "\"sedn\"")
            try fixture.editHistory(3, "\"detail\"", "\"detaim\"")
            let fault = try #require(try fixture.faults().first)
            #expect(fault.side == .unknown && fault.journalLine == nil && fault.historyLine != nil)
        }
    }

    /// What the journal is written from is mended first, or damage would get a sum.
    @Test func aDamagedHistoryIsMendedBeforeTheJournal() throws {
        try withJournal { fixture in
            let (rows, lines) = (try fixture.home.dump(), try fixture.reader.all(after: 0))
            try fixture.editLine(1, "IMG_0001", "IMG_0000")
            try fixture.editHistory(3, "\"seen\"", "\"sedn\"")
            let faults = try fixture.faults()
            #expect(faults.map(\.token) == [3, 1] && faults.map(\.side) == [.history, .journal])
            for fault in faults { try fixture.mend(fault) }
            #expect(try fixture.faults() == [] && fixture.reader.lines(after: 0).conflict == nil)
            #expect(try fixture.home.dump() == rows && fixture.reader.all(after: 0) == lines)
        }
    }

    /// A gap is closed from a history whose newest change is damaged: the journal's own newest line follows it.
    @Test func aClosedGapBringsNoOtherDamageIntoTheJournal() throws {
        try withJournal { fixture in
            let lines = try fixture.reader.all(after: 0)
            try fixture.writeLines(Array(fixture.lines().dropFirst()))
            try fixture.editHistory(3, "\"seen\"", "\"sedn\"")
            try fixture.restore(1)
            #expect(try fixture.reader.lines(after: 0).conflict == nil && fixture.reader.all(after: 0) == lines)
        }
    }

    /// What is not what albumd writes is kept, and nothing vouches for it.
    @Test func aDamagedChangeThatTheJournalLacksGetsNoSum() throws {
        try withJournal { fixture in
            try fixture.writeLines(Array(fixture.lines().dropLast()))
            try fixture.editHistory(3, "\"detail\"", "\"detaim\"")
            try fixture.home.catchUp()
            try fixture.writeLines(Array(fixture.lines().dropFirst().dropLast()) + [fixture.lines()[2]])
            try fixture.editHistory(1, "\"contentType\"", "\"contentTypf\"")
            try fixture.restore(1)
            #expect(try fixture.lines().allSatisfy { !$0.contains("contentTypf") || withoutSum($0) == $0 })
        }
    }

    /// Of an older albumd, and of two that differ the one with its sum.
    @Test func ofAnOlderLineAndANewerTheOneWithItsSumIsRight() throws {
        try withJournal { fixture in
            let lines = try fixture.lines()
            let older = withoutSum(lines[1]).replacing("IMG_0001", with: "IMG_0003")
            try fixture.writeLines([lines[0], older, lines[1], lines[2]])
            try fixture.editHistory(2, "IMG_0001", "IMG_0005")
            let faults = try fixture.faults()
            #expect(faults.map(\.side) == [.history, .journal])
            for fault in faults { try fixture.mend(fault) }
            #expect(try fixture.faults() == [] && fixture.reader.lines(after: 0).conflict == nil)
            #expect(try fixture.lines()[1].allSatisfy { $0 == " " })
        }
    }

    /// Another date and other requests are no damage: the journal has a line of another library.
    @Test func aWholeLineOfAnotherLibraryIsNotBelievedForItsSum() throws {
        try withJournal { fixture in
            var lines = try fixture.lines()
            lines[1] = LineSum.sealed(
                withoutSum(lines[1]).replacing("2023-11-14T22:13:20", with: "2022-11-14T22:13:20")
                    .replacing("IMG_0001", with: "IMG_0003"))
            try fixture.writeLines(lines)
            #expect(try fixture.faults().map(\.side) == [.unknown])
        }
    }

    @Test(arguments: [true, false]) func ofTwoLinesTheOneThatTheHistoryHasIsRight(hasSums: Bool) throws {
        try withJournal("two \(hasSums)") { fixture in
            let lines = try fixture.lines()
            let plain = withoutSum(lines[1]).replacing("\(Sample.identifier(2))", with: "\(Sample.identifier(9))")
            let other = hasSums ? LineSum.sealed(plain) : plain
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
