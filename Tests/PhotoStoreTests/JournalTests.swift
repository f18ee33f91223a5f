import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// The journal repeats the history, line by line, whatever happens in between.
@Suite struct JournalTests {
    private struct Crash: Error {}

    /// Brings the journal up to date, as the daemon does behind the library.
    private func catchUp(_ home: SimulatedLibrary) throws -> Int64 {
        let directory = try home.files.openDirectory(Array("/library/journal".utf8))
        let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
        defer { catalogue.close() }
        return try Journal(machine: home.simulated.machine, directory: directory, catalogue: catalogue).catchUp()
    }

    private func lines(_ home: SimulatedLibrary, after token: Int64 = 0) throws -> [JournalLine] {
        let directory = try home.files.openDirectory(Array("/library/journal".utf8))
        return try JournalReader(files: home.files, directory: directory).all(after: token)
    }

    private func text(_ home: SimulatedLibrary, _ month: String = "2023-11") throws -> String {
        String(decoding: try home.program.read(Array("/library/journal/\(month).ndjson".utf8)), as: UTF8.self)
    }

    private func addAlbums(_ numbers: ClosedRange<UInt8>, to library: PhotoLibrary) throws {
        try library.inside { library throws in
            for number in numbers {
                try library.perform(Sample.album(number))
            }
        }
    }

    @Test func everyChangeIsOneLineOfTheHistory() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try addAlbums(1...3, to: library)
            #expect(try catchUp(home) == 3)
            let history = try library.onThread { try $0.read { try $0.history(after: 0, limit: 10) } }
            #expect(try text(home) == history.map { $0.journalText + "\n" }.joined())
            let lines = try lines(home)
            #expect(lines.map(\.token) == [1, 2, 3])
            #expect(lines.map(\.changes) == [[Sample.album(1)], [Sample.album(2)], [Sample.album(3)]])
            #expect(lines.map(\.date) == history.map(\.date))
        }
    }

    @Test func catchingUpTwiceAddsNothing() throws {
        try withSimulatedLibrary { home in
            try addAlbums(1...3, to: try home.open())
            _ = try catchUp(home)
            let once = try text(home)
            #expect(try catchUp(home) == 3)
            #expect(try text(home) == once)
        }
    }

    @Test func aCrashBetweenCommitAndJournalIsCaughtUpWith() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try addAlbums(1...2, to: library)
            _ = try catchUp(home)
            home.simulated.onReach { if $0 == .afterCatalogueCommit { throw Crash() } }
            #expect(throws: Crash.self) { try addAlbums(3...3, to: library) }
            home.cutPower()
            home.simulated.onReach(nil)
            try addAlbums(4...4, to: try home.open())
            #expect(try catchUp(home) == 4)
            #expect(try lines(home).map(\.token) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: [Milestone.journalHalfLine, .journalAppended])
    func aCrashWithinTheJournalLosesNoLine(milestone: Milestone) throws {
        try withSimulatedLibrary(milestone.rawValue) { home in
            try addAlbums(1...2, to: try home.open())
            home.simulated.onReach { if $0 == milestone { throw Crash() } }
            #expect(throws: Crash.self) { try catchUp(home) }
            home.kill()
            home.simulated.onReach(nil)
            try addAlbums(3...3, to: try home.open())
            #expect(try catchUp(home) == 3)
            #expect(try lines(home).map(\.token) == [1, 2, 3])
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aPowerCutWithinTheJournalLosesNoLine(seed: UInt64) throws {
        try withSimulatedLibrary(seed: seed) { home in
            let library = try home.open()
            try addAlbums(1...2, to: library)
            _ = try catchUp(home)
            try addAlbums(3...5, to: library)
            home.simulated.onReach { if $0 == .journalHalfLine { throw Crash() } }
            #expect(throws: Crash.self) { try catchUp(home) }
            home.files.cutPower(.seeded)
            home.close()
            home.files.restart()
            home.simulated.onReach(nil)
            _ = try home.open()
            #expect(try catchUp(home) == 5)
            #expect(try lines(home).map(\.token) == [1, 2, 3, 4, 5])
        }
    }

    @Test func aTornHalfLineIsClosedAndPassedOver() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try addAlbums(1...1, to: library)
            _ = try catchUp(home)
            let file = Array("/library/journal/2023-11.ndjson".utf8)
            try home.program.append(file, Array(#"{"token":2,"date":"2023"#.utf8))
            try addAlbums(2...2, to: library)
            #expect(try catchUp(home) == 2)
            #expect(try text(home).split(separator: "\n").count == 3)
            #expect(try lines(home).map(\.token) == [1, 2])
        }
    }

    @Test func aFailedWriteIsMadeAgainAndLeavesOneLine() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try addAlbums(1...2, to: library)
            let directory = try home.files.openDirectory(Array("/library/journal".utf8))
            let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            defer { catalogue.close() }
            let journal = try Journal(machine: home.simulated.machine, directory: directory, catalogue: catalogue)
            home.files.failNext(.write, ENOSPC, skipping: 1)
            #expect(throws: FileError.self) { try journal.catchUp() }
            try addAlbums(3...3, to: library)
            #expect(try journal.catchUp() == 3)
            #expect(try text(home).split(separator: "\n").count == 3)
            #expect(try lines(home).map(\.token) == [1, 2, 3])
        }
    }

    /// What a failed sync left in the cache is not on the disk, and another start must not take it for journaled.
    @Test(arguments: [SimulatedFiles.Verb.syncOfFile, .syncOfDirectory])
    func whatTheDiskDidNotTakeIsJournaledAgain(verb: SimulatedFiles.Verb) throws {
        try withSimulatedLibrary("again \(verb)") { home in
            let library = try home.open()
            try addAlbums(1...2, to: library)
            home.files.failNext(verb, EIO)
            #expect(throws: FileError.self) { try catchUp(home) }
            try addAlbums(3...3, to: library)
            #expect(try catchUp(home) == 3)
            home.cutPower()
            _ = try home.open()
            #expect(try lines(home).map(\.token) == [1, 2, 3])
        }
    }

    @Test func eachMonthHasItsFile() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try addAlbums(1...2, to: library)
            home.simulated.advance(by: .seconds(30 * 86_400))
            try addAlbums(3...4, to: library)
            #expect(try catchUp(home) == 4)
            #expect(try home.names("journal") == ["2023-11.ndjson", "2023-12.ndjson"])
            #expect(try text(home, "2023-12").split(separator: "\n").count == 2)
            #expect(try lines(home).map(\.token) == [1, 2, 3, 4])
            #expect(try lines(home, after: 3).map(\.token) == [4])
        }
    }

    @Test func aClockThatIsSetBackNeitherLosesNorDoublesLines() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            home.simulated.advance(by: .seconds(30 * 86_400))
            try addAlbums(1...2, to: library)
            home.simulated.setWallClock(1_700_000_000_000_000_000)
            try addAlbums(3...4, to: library)
            home.simulated.advance(by: .seconds(30 * 86_400))
            try addAlbums(5...5, to: library)
            // The first run of months is written, then the power goes.
            var appended = 0
            home.simulated.onReach { if $0 == .journalAppended { throw Crash() } }
            while appended < 3 {
                #expect(throws: Crash.self) { try catchUp(home) }
                appended += 1
            }
            home.simulated.onReach(nil)
            #expect(try catchUp(home) == 5)
            #expect(try catchUp(home) == 5)
            #expect(try text(home, "2023-11").split(separator: "\n").count == 2)
            #expect(try text(home, "2023-12").split(separator: "\n").count == 3)
            #expect(try lines(home).map(\.token) == [1, 2, 3, 4, 5])
        }
    }

    @Test func linesLongerThanTheLookBackAreFound() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                _ = try library.performChanges(origin: "test") { change in
                    for number in 1...250 as ClosedRange<UInt8> {
                        try change.perform(Sample.album(number, String(repeating: "A", count: 1000)))
                    }
                }
            }
            #expect(try catchUp(home) == 1)
            let once = try text(home)
            #expect(once.utf8.count > 256 << 10)
            #expect(try catchUp(home) == 1)
            #expect(try text(home) == once)
        }
    }

    @Test func anyOriginIsOneJSONString() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            let origin = "api \"x\"\n\\ \u{1b}"
            try library.inside { library throws in
                _ = try library.performChanges(origin: origin) { try $0.perform(Sample.album(1)) }
            }
            _ = try catchUp(home)
            #expect(try text(home).split(separator: "\n").count == 1)
            #expect(try lines(home).map(\.origin) == [origin])
        }
    }
}
