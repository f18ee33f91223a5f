import FoundationEssentials
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// A line as an older albumd wrote it.
func withoutSum(_ line: String) -> String {
    line.ranges(of: #","sum":""#).last.map { line[..<$0.lowerBound] + "}" } ?? line
}

/// A line of the journal whose text is not what its sum is of says nothing; one of an older albumd says what it said.
@Suite struct LineSumTests {
    private static let month = Array("/library/journal/2023-11.ndjson".utf8)

    private func withJournal(
        _ test: String = #function, _ body: (_ home: SimulatedLibrary, _ lines: [String]) throws -> Void
    ) throws {
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.perform(Sample.registration(), Sample.album(100), Sample.album(101, "Best"))
                try library.importAssets(["a", "b"])
                try library.perform(
                    Sample.source("a.jpg", 1), Sample.adding(2, 1, to: 100, by: .folder),
                    Sample.adding(1, to: 101, by: .person))
                try library.perform(Sample.album(102, "Third"))
            }
            try home.catchUp()
            let text = String(decoding: try home.program.read(Self.month), as: UTF8.self)
            try body(home, text.split(separator: "\n").map(String.init))
        }
    }

    private func write(_ lines: [String], _ home: SimulatedLibrary) throws {
        try home.program.write(Self.month, Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func read(_ home: SimulatedLibrary) throws -> [JournalLine] {
        let directory = try home.files.openDirectory(Array("/library/journal".utf8))
        return try JournalReader(files: home.files, directory: directory).all(after: 0)
    }

    private func rows(_ home: SimulatedLibrary) throws -> [String] { try home.dump(except: ["decision", "clock"]) }

    private func loseCatalogue(_ home: SimulatedLibrary) throws {
        home.close()
        try home.program.unlink(Array("/library/catalogue.sqlite".utf8))
        home.disk.unlink("/library/catalogue.sqlite")
    }

    /// The first eight bytes of what sha256sum says of the line without the key.
    @Test func theSumIsOfTheTextThatTheHistoryHas() throws {
        let text = #"{"token":1,"date":"2023-11-14T22:13:20.000000Z","origin":"lost","changes":[]}"#
        let line = HistoryLine.lost(1, at: Date(microseconds: 1_700_000_000_000_000))
        #expect(line.json == text)
        #expect(line.journalText == text.dropLast() + #","sum":"8a71035bd40a6f25"}"#)
    }

    /// Every bit of a line with names, numbers and identifiers.
    @Test func aFlippedBitIsNeverAnotherChange() throws {
        try withJournal { _, lines in
            for line in lines {
                let whole = Array(line.utf8)
                try #require(JournalReader.line(whole[...]) != nil)
                for place in whole.indices {
                    for bit in 0..<8 {
                        var flipped = whole
                        flipped[place] ^= 1 << bit
                        let isRefused = JournalReader.line(flipped[...]) == nil
                        #expect(isRefused, "byte \(place), bit \(bit)")
                        #expect(JournalReader.token(ofLine: flipped[...]) == nil)
                    }
                }
            }
        }
    }

    /// The ends of lines, too: what is read of the whole file are lines that were written.
    @Test func aFileWithAFlippedBitHasNoOtherChange() throws {
        try withJournal { home, lines in
            let (whole, before) = (try home.program.read(Self.month), try read(home))
            for place in whole.indices {
                var flipped = whole
                flipped[place] ^= 1 << (place % 8)
                try home.program.write(Self.month, flipped)
                let after = try read(home)
                #expect(after.allSatisfy(before.contains) && after.count >= lines.count - 2, "byte \(place)")
                #expect(after.count < lines.count, "byte \(place)")
            }
        }
    }

    /// An older line and a newer one of one change are the same change.
    @Test(arguments: [1, 2, 3]) func linesOfBothKindsRebuildTheSameCatalogue(step: Int) throws {
        try withJournal("kinds-\(step)") { home, lines in
            let before = try rows(home)
            let mixed = lines.enumerated().map { $0.offset % step == 0 ? withoutSum($0.element) : $0.element }
            #expect(mixed != lines)
            try write(mixed + lines + mixed, home)
            let files = home.files
            let isAlike = try home.library().onThread { library in
                try library.directory.requireHistory(of: library.catalogue, named: "c", files: files)
                return try HistoryAudit(
                    JournalReader(files: files, directory: library.directory.journal), upTo: Int64(lines.count)
                ).advanced(in: library.catalogue).audit.faults.isEmpty
            }
            #expect(isAlike)
            try loseCatalogue(home)
            #expect(try home.open().onThread { $0.recovery.rebuilt?.lineCount } == lines.count)
            home.close()
            #expect(try rows(home) == before)
        }
    }

    /// An album's title in the middle of the journal: nobody gets the other title, and nothing is given up silently.
    @Test(arguments: [nil, false, true]) func aDamagedLineIsAGapUnlessAnotherHasItsChange(hasSum: Bool?) throws {
        try withJournal("gap-\(hasSum.map(String.init) ?? "none")") { home, lines in
            let before = try rows(home)
            let damaged = lines.map { $0.replacing("Best", with: "Besu") }
            #expect(damaged != lines)
            let twins = hasSum.map { $0 ? lines : lines.map(withoutSum) } ?? []
            try write(damaged + twins, home)
            try loseCatalogue(home)
            if hasSum == nil {
                #expect { try home.open() } throws: { "\($0)".contains("library rebuild --partial") }
                home.close()
                var options = PhotoLibrary.RebuildOptions()
                options.isPartial = true
                let plan = try PhotoLibrary.rebuild(
                    home.path, machine: home.simulated.machine, options: options, vfs: home.disk.name,
                    progress: { _, _ in }
                ).plan
                #expect(plan.missingTokens == 1)
                #expect(try rows(home).allSatisfy { !$0.contains("Besu") })
            } else {
                _ = try home.open()
                home.close()
                #expect(try rows(home) == before)
            }
        }
    }

    /// The newest line is written again from the history, as one that a crash left half is.
    @Test func aDamagedLastLineIsWrittenAgain() throws {
        try withJournal { home, lines in
            try write(lines.map { $0.replacing("Third", with: "Thirt") }, home)
            try home.catchUp()
            #expect(try read(home).count == lines.count)
            let text = String(decoding: try home.program.read(Self.month), as: UTF8.self)
            #expect(text.hasSuffix(lines[lines.count - 1] + "\n"))
        }
    }
}
