import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// What one scan missed is missing no longer than that is so.
@Suite struct MissedOnceTests {
    private func missedCount(_ bench: EngineBench) -> Int? {
        bench.engine?.status.folders.map(\.missedCount).reduce(0, +)
    }

    @Test(arguments: BenchDisk.allCases, ["in/other.jpg", "two/0.jpg"])
    func aFileThatMovedWhileNobodyLookedIsNotMissing(disk: BenchDisk, name: String) throws {
        try withMirror(disk, "missed \(name)") { bench in
            bench.end()
            try bench.program.rename(bench.path("in/0.jpg").bytes, to: bench.path(name).bytes)
            try bench.start()
            try bench.flush()
            #expect(try bench.source(name)?.reason == .moved)
            #expect(missedCount(bench) == 0)
            try bench.run(for: .seconds(200))
            #expect(missedCount(bench) == 0)
            #expect(try state(name, bench) == .live)
        }
    }

    /// Directories are looked into ahead of their turn: what came back since is looked at once more, and is there.
    @Test func aFileThatCameBackAfterItsDirectoryWasLookedIntoIsNotMissing() throws {
        try withMirror(pictures: 0) { bench in
            try bench.makeDirectory("in/a")
            try bench.makeDirectory("in/b")
            for number in 0..<2100 { try bench.write("in/a/\(number).txt", [UInt8(ascii: "t")]) }
            try bench.write("in/b/x.jpg", SampleMedia.picture(1))
            try bench.flush()
            bench.end()
            let (there, away) = (bench.path("in/b/x.jpg").bytes, bench.path("two/x.away").bytes)
            try bench.program.rename(there, to: away)
            try bench.start()
            try bench.run(atMost: .seconds(100)) { bench.engine?.status.scannedEntries ?? 0 >= 2000 }
            try bench.program.rename(away, to: there)
            try bench.flush()
            #expect(missedCount(bench) == 0)
            #expect(try state("in/b/x.jpg", bench) == .live)
        }
    }
}
