import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// Signals are hints: late, lost or twice, they change nothing of the result (RULES R21-R27).
@Suite struct EngineSignalTests {
    private func withBench(_ body: (EngineBench) throws -> Void) throws {
        try BenchDisk.simulated.withBench { try body($0) }
    }

    /// The watcher's number of the folder `in`.
    private func number(_ bench: EngineBench) throws -> Int64 {
        // Found by what it does: the folder whose candidate appears.
        for id in 1...2 as ClosedRange<Int64> {
            bench.post(.watch([.touched(folder: id, path: Array("probe".utf8), how: .created)]))
            try bench.run(for: .milliseconds(1))
            let key = try #require(try bench.key("in/probe"))
            if bench.board[key] != nil { return id }
        }
        throw TookTooLong()
    }

    @Test func aLateSignalThatAFileIsGoneDoesNotDropTheOneThatIsThere() throws {
        try withBench { bench in
            let id = try number(bench)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.post(.watch([.gone(folder: id, path: Array("a.jpg".utf8), isDirectory: false)]))
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aLateSignalThatADirectoryIsGoneDoesNotDropWhatIsInIt() throws {
        try withBench { bench in
            let id = try number(bench)
            try bench.makeDirectory("in/d")
            try bench.write("in/d/a.jpg", SampleMedia.picture(1))
            bench.post(.watch([.gone(folder: id, path: Array("d".utf8), isDirectory: true)]))
            try bench.flush()
            #expect(try bench.source("in/d/a.jpg")?.outcome == .imported)
        }
    }

    /// RULES R14: its watch was there all the time.
    @Test func aDirectoryThatIsOpenedAgainIsLookedInto() throws {
        try withBench { bench in
            let id = try number(bench)
            try bench.makeDirectory("in/d")
            try bench.write("in/d/a.jpg", SampleMedia.picture(1))
            let file = bench.path("in/d/a.jpg").bytes
            try bench.simulation.files.breakNode(at: file, EACCES)
            #expect(try bench.flush().waiting == [.permission: 1])
            try bench.simulation.files.heal(at: file)
            bench.post(.watch([.directoryAttributes(folder: id, path: Array("d".utf8))]))
            try bench.run(for: .seconds(120))
            #expect(try bench.source("in/d/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aDirectoryThatLeftAndCameBackIsImported() throws {
        try withBench { bench in
            try bench.makeDirectory("away")
            try bench.makeDirectory("in/d")
            try bench.write("in/d/a.jpg", SampleMedia.picture(1))
            try bench.rename("in/d", to: "away/d")
            try bench.run(for: .milliseconds(100))
            try bench.rename("away/d", to: "in/d")
            try bench.flush()
            #expect(try bench.source("in/d/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aRestartOfTheWatcherLosesNothingThatComesBeforeItsWatches() throws {
        try withBench { bench in
            bench.watcher.restart()
            try bench.run(for: .milliseconds(30))
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            #expect(bench.engine?.status.watcherRestarts == 1)
        }
    }

    @Test func anOverflowIsMadeGoodByAScan() throws {
        try withBench { bench in
            var manners = WatcherManners()
            manners.losses = 100
            bench.watcher.behave(manners)
            try bench.makeDirectory("in/d")
            try bench.write("in/d/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(try bench.catalogue().assetCount() == 2)
            #expect(bench.engine?.status.overflows ?? 0 >= 1)
        }
    }

    @Test func overflowsWithoutEndDoNotMakeScansWithoutEnd() throws {
        try withBench { bench in
            let listed = bench.simulation.files.callCount(.list)
            for _ in 0..<60 {
                bench.watcher.overflow()
                try bench.run(for: .milliseconds(500))
            }
            // Two folders, each listed once in a scan (W03 of CASES).
            #expect((bench.simulation.files.callCount(.list) - listed) / 2 <= 8)
        }
    }

    @Test func aFlushWaitsForSignalsThatComeLate() throws {
        try withBench { bench in
            var manners = WatcherManners()
            manners.delay = .seconds(5)
            bench.watcher.behave(manners)
            for number in 0..<10 {
                try bench.write("in/\(number).jpg", SampleMedia.picture(number))
            }
            try bench.flush()
            #expect(try bench.catalogue().assetCount() == 10)
        }
    }

    @Test func aFlushThatTakesTooLongSaysSo() throws {
        try withBench { bench in
            let answers = Mutex<[FlushReport?]>([])
            let deadline = bench.machine.uptime() + .seconds(1)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.post(
                .flush(name: Array("x".utf8), deadline: deadline) { report in answers.withLock { $0.append(report) } })
            try bench.run(for: .seconds(2))
            #expect(answers.withLock { $0 } == [nil])
        }
    }

    @Test func whatWaitsIsTriedAtOnceWhenAPersonSaysSo() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.simulation.files.configure { $0.isReadOnly = true }
            try bench.flush()
            bench.simulation.files.configure { $0.isReadOnly = false }
            let count = Mutex(0)
            bench.post(.retry(nil) { number in count.withLock { $0 = number } })
            try bench.run(for: .milliseconds(1))
            #expect(bench.board.candidates().map(\.reason) == [.libraryReadOnly])
            try bench.run(for: .seconds(3))
            #expect(count.withLock { $0 } == 1)
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func theOutcomeDoesNotDependOnTheOrderOfSignals() throws {
        var found: [[String]] = []
        for delay in [0, 700, 2500] {
            let bench = try EngineBench(seed: UInt64(delay))
            var manners = WatcherManners()
            manners.delay = .milliseconds(delay)
            manners.duplicates = 50
            bench.watcher.behave(manners)
            try bench.addFolder("in", album: "Inbox")
            try bench.start()
            try bench.flush()
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.makeDirectory("in/d")
            try bench.write("in/d/b.jpg", SampleMedia.picture(2))
            try bench.rename("in/d", to: "in/e")
            try bench.write("in/c.jpg", SampleMedia.picture(1))
            try bench.remove("in/a.jpg")
            try bench.flush()
            let folder = try #require(try bench.key("in/x")).folder
            found.append(
                try bench.catalogue().sources(in: folder, after: nil, limit: 10).map { source in
                    "\(printable(source.key.path.bytes)) \(source.evidence?.hash?.hexadecimal ?? "")"
                })
        }
        #expect(Set(found).count == 1)
        #expect(found[0].count == 2)
    }
}
