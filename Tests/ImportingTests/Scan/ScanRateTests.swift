import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Whatever goes wrong, a folder is scanned sixty times an hour at most, and what waits is tried as its back-off says
/// (RULES I39).
@Suite struct ScanRateTests {
    /// What goes on going wrong, once in each period.
    enum Fault: String, CaseIterable {
        case overflow
        case flapping
        case watcherRestart
        case watchLimit
        case noInotify
        case directoryUnreadable
        case directoryFlapping
        case noSpace
        case readOnly
        case scanError
    }

    @Test(arguments: Fault.allCases, [Duration.seconds(3), .seconds(61)])
    func noFaultMakesMoreThanSixtyScansInAnHour(fault: Fault, period: Duration) throws {
        try BenchDisk.simulated.withBench { bench in
            try bench.makeDirectory("in/sub")
            try bench.write("in/sub/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.run(for: .seconds(4000))
            let (before, end) = (try scans(bench), bench.machine.uptime() + .seconds(3600) - .milliseconds(1))
            try begin(fault, bench)
            var turn = 0
            while bench.machine.uptime() < end {
                try happen(fault, turn, bench)
                turn += 1
                try bench.run(for: min(period, end - bench.machine.uptime()))
            }
            let counts = zip(try scans(bench), before).map { $0 - $1 }
            #expect(counts.allSatisfy { $0 <= 60 }, "\(fault) each \(period): \(counts)")
            try cease(fault, bench)
            // What came meanwhile is found within the longest pause and one scan (RULES I29).
            try bench.write("in/last.jpg", SampleMedia.picture(2))
            try bench.run(for: .seconds(400))
            #expect(try bench.source("in/last.jpg")?.outcome == .imported)
        }
    }

    /// The pause of imports doubles from 5 s to 300 s: 5 + 10 + … + 160 s, and then eleven times 300 s.
    @Test(arguments: [Fault.noSpace, .readOnly]) func whatWaitsForTheDiskIsTriedAsTheBackOffSays(fault: Fault) throws {
        try BenchDisk.simulated.withBench { bench in
            for number in 0..<3 { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try begin(fault, bench)
            try bench.flush()
            let before = attempts(bench)
            try bench.run(for: .seconds(3600))
            let tries = attempts(bench) - before
            #expect((10...18 * 3).contains(tries), "\(tries)")
            #expect(try bench.catalogue().assetCount() == 0)
        }
    }

    private func attempts(_ bench: EngineBench) -> Int { bench.simulation.files.callCount(.takeLease) }

    private func scans(_ bench: EngineBench) throws -> [Int] {
        try #require(bench.engine).status.folders.map(\.scanCount)
    }

    private func begin(_ fault: Fault, _ bench: EngineBench) throws {
        switch fault {
        case .noSpace:
            let root = try bench.simulation.files.openDirectory(Array("/".utf8))
            let free = try bench.simulation.files.fileSystem(of: root).freeBytes
            bench.simulation.files.configure { $0.capacity -= free - 100 }
        case .readOnly: bench.simulation.files.configure { $0.isReadOnly = true }
        default: break
        }
    }

    private func happen(_ fault: Fault, _ turn: Int, _ bench: EngineBench) throws {
        switch fault {
        case .overflow: bench.watcher.overflow()
        case .flapping: try flap("in", turn, bench) { bench.post(.watch([.rootGone(folder: 1, reason: .moved)])) }
        case .watcherRestart: bench.watcher.restart()
        case .watchLimit: bench.post(.watch([.watchLimit(folder: 1)]))
        case .noInotify:
            if turn.isMultiple(of: 2) {
                bench.post(.watch([.watcherLost(code: EMFILE)]))
            } else {
                bench.watcher.restart()
            }
        case .directoryUnreadable:
            bench.post(.watch([.directoryUnreadable(folder: 1, path: Array("sub".utf8), code: EACCES)]))
        case .directoryFlapping:
            bench.post(.watch([.directoryUnreadable(folder: 1, path: Array("sub".utf8), code: EACCES)]))
            bench.post(.watch([.directoryAppeared(folder: 1, path: Array("sub".utf8))]))
        case .scanError:
            bench.simulation.files.failNext(.list, EIO)
            bench.watcher.overflow()
        case .noSpace, .readOnly: try bench.touch("in/sub/a.jpg", modified: Int64(turn))
        }
    }

    private func flap(_ name: String, _ turn: Int, _ bench: EngineBench, _ tell: () -> Void) throws {
        if turn.isMultiple(of: 2) {
            try bench.rename(name, to: "away")
            tell()
        } else {
            try bench.rename("away", to: name)
        }
    }

    private func cease(_ fault: Fault, _ bench: EngineBench) throws {
        bench.simulation.files.configure { settings in
            settings.capacity = 1 << 40
            settings.isReadOnly = false
        }
        if fault == .noInotify || fault == .watchLimit { bench.watcher.restart() }
        if fault == .flapping, bench.tree.exists(bench.path("away")) || !bench.tree.exists(bench.path("in")) {
            try bench.rename("away", to: "in")
        }
    }
}
