import EngineSupport
import Importing
import Media
import PhotoModel
import Platform
import TestSupport
import Testing

/// A plan tells what would become of photos whose files are missing, and does nothing about it.
@Suite struct PlannedDepartureTests {
    /// `in` mirrors deletions, `two` keeps; what a plan would delete, by name below the base.
    private func withBench(
        pictures: Int, _ test: String = #function, _ body: (EngineBench) throws -> Void
    ) throws {
        let rules = { (bench: EngineBench) in
            try bench.addFolder("in", album: "Inbox") { $0.onSourceDeleted = .trash }
            try bench.addFolder("two", album: "Two")
        }
        try BenchDisk.real.withBench(test, rules: rules) { bench in
            for number in 0..<pictures { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try bench.write("two/a.jpg", SampleMedia.picture(1000))
            try bench.flush()
            try body(bench)
        }
    }

    private func deletions(_ bench: EngineBench) throws -> [String: PlanItem.Deletion] {
        let dryRun = try DryRun(
            bench.engine?.status.folders ?? [], board: bench.board, library: try #require(bench.library),
            recogniser: try MediaRecogniser(), machine: bench.machine)
        var deletions: [String: PlanItem.Deletion] = [:]
        while let some = try dryRun.advance() {
            for item in some {
                deletions[printable(item.path.relative(to: PathBytes(bench.base)).bytes)] = item.deletion
            }
        }
        return deletions
    }

    @Test func aFileThatIsGoneWouldTrashItsPhoto() throws {
        try withBench(pictures: 3) { bench in
            #expect(try deletions(bench).isEmpty)
            for name in ["in/0.jpg", "two/a.jpg"] { try bench.program.unlink(bench.path(name).bytes) }
            #expect(try deletions(bench) == ["in/0.jpg": .trash])
            #expect(try bench.asset(of: "in/0.jpg")?.state == .live)
        }
    }

    @Test func soManyThatAPersonMustConfirmItWouldBeHeld() throws {
        try withBench(pictures: 30) { bench in
            for number in 0..<21 { try bench.program.unlink(bench.path("in/\(number).jpg").bytes) }
            let deletions = try deletions(bench)
            #expect(deletions.count == 21 && deletions.values.allSatisfy { $0 == .hold })
        }
    }

    @Test func aMovedFileAndOneWithACopyWouldDeleteNothing() throws {
        try withBench(pictures: 3) { bench in
            try bench.program.rename(bench.path("in/0.jpg").bytes, to: bench.path("two/moved.jpg").bytes)
            try bench.program.write(bench.path("in/copy.jpg").bytes, SampleMedia.picture(1))
            try bench.program.unlink(bench.path("in/1.jpg").bytes)
            #expect(try deletions(bench).isEmpty)
        }
    }

    @Test func aFolderWithoutItsMarkerWouldDeleteNothing() throws {
        try withBench(pictures: 3) { bench in
            for name in ["in/.albumd-folder", "in/0.jpg"] { try bench.program.unlink(bench.path(name).bytes) }
            #expect(try deletions(bench).isEmpty)
        }
    }
}
