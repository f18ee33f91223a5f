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
}
