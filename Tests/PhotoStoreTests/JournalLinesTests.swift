import PhotoModel
import Platform
import TestSupport
import Testing

@testable import PhotoStore

extension JournalReader {
    /// All at once: a test's journal is short.
    func all(after token: Int64) throws -> [JournalLine] {
        var (lines, all): (JournalLines, [JournalLine]) = (try self.lines(after: token), [])
        while let line = try lines.next() { all.append(line) }
        return all
    }
}

/// Lines come in the order of their tokens, each once, wherever a crash, a clock or a repair has put them.
@Suite struct JournalLinesTests {
    private func withJournal(
        _ files: [String: [String]], _ test: String = #function, _ body: (JournalReader) throws -> Void
    ) throws {
        let machine = SimulatedMachine(seed: 1)
        let directory = Array("/journal".utf8)
        try machine.program.makeDirectory(directory)
        for (name, lines) in files {
            try machine.program.write(
                directory + Array("/\(name).ndjson".utf8), Array(lines.map { $0 + "\n" }.joined().utf8))
        }
        try body(JournalReader(files: machine.files, directory: try machine.files.openDirectory(directory)))
    }

    private func line(_ token: Int64, title: String = "A") -> String {
        """
        {"token":\(token),"date":"2026-11-30T08:40:42.205813Z","origin":"test","changes":[{"change":"createAlbum",\
        "localIdentifier":"\(Sample.identifier(1))","title":"\(title)"}]}
        """
    }

    @Test func partsMonthsAndTornLinesGiveEachTokenOnce() throws {
        let files = [
            "2026-10": [line(1), line(2), "", ""], "2026-10-2": [line(3), "{\"token\":4,", line(4), line(7)],
            "2026-11": [line(5), line(6), line(9), line(2), line(9)], "2026-09": [line(8), "not JSON"],
        ]
        try withJournal(files) { reader throws in
            #expect(try reader.all(after: 0).map(\.token) == Array(1...9))
            #expect(try reader.all(after: 3).map(\.token) == Array(4...9))
            #expect(try reader.all(after: 9).isEmpty)
            let lines = try reader.lines(after: 2)
            #expect(lines.count == 7 && lines.newest == 9)
        }
    }

    @Test func aMissingTokenIsPassedOverAndNotCounted() throws {
        try withJournal(["2026-10": [line(1), line(4), line(5)]]) { reader throws in
            #expect(try reader.all(after: 0).map(\.token) == [1, 4, 5])
            #expect(try reader.lines(after: 1).count == 2)
        }
    }

    /// A line may be longer than what is read at once, and the last one may lack its end.
    @Test func longLinesAndALastLineWithoutItsEndAreRead() throws {
        let long = String(repeating: "A", count: 3 << 20)
        try withJournal(["2026-10": [line(1), line(2, title: long), line(3)]]) { reader throws in
            #expect(try reader.all(after: 0).map(\.token) == [1, 2, 3])
        }
        let machine = SimulatedMachine(seed: 1)
        try machine.program.makeDirectory(Array("/journal".utf8))
        try machine.program.write(Array("/journal/2026-10.ndjson".utf8), Array((line(1) + "\n" + line(2)).utf8))
        let directory = try machine.files.openDirectory(Array("/journal".utf8))
        #expect(try JournalReader(files: machine.files, directory: directory).all(after: 0).map(\.token) == [1, 2])
    }

    /// However many lines there are, what is known of them is a few numbers.
    @Test func aMonthIsOneRun() throws {
        try withJournal(["2026-10": (1...5000).map { line($0) }]) { reader throws in
            #expect(try reader.index(after: 0).runs.count == 1)
            #expect(try reader.all(after: 4998).map(\.token) == [4999, 5000])
        }
    }
}
