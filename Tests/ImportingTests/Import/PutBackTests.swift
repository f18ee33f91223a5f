import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A file that move mode removed is put back, never over another, and stays (RULES I4, R15).
@Suite struct PutBackTests {
    private func withBench(
        _ disk: BenchDisk = .simulated, test: String = #function, _ body: (EngineBench) throws -> Void
    ) throws {
        try disk.withBench(test, rules: { try $0.addFolder("in", album: "Inbox") { $0.mode = .move } }, body)
    }

    private func putBack(_ name: String, _ bench: EngineBench) throws -> PutBack? {
        let source = try #require(try bench.source(name))
        return try bench.putBack([source]).first
    }

    @Test(arguments: BenchDisk.allCases) func itHasItsBytesAndItsMappingAndStays(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            let before = try #require(try bench.source("in/a.jpg"))
            #expect(before.isRemoved)
            #expect(try putBack("in/a.jpg", bench)?.failure == nil)
            #expect(try bench.program.read(bench.path("in/a.jpg").bytes) == SampleMedia.picture(1))
            try bench.scan()
            let after = try #require(try bench.source("in/a.jpg"))
            #expect(after.localIdentifier == before.localIdentifier && !after.isRemoved && after.reason == .putBack)
            #expect(try bench.program.read(bench.path("in/a.jpg").bytes) == SampleMedia.picture(1))
        }
    }

    @Test func whatStandsThereIsLeftAlone() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            try bench.program.makeDirectory(bench.path("in/a.jpg").bytes)
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(try bench.putBack([source], isDryRun: true).first?.failure == "something else stands there")
            #expect(try putBack("in/a.jpg", bench)?.failure == "something else stands there")
        }
    }

    @Test func aFolderThatIsOfflineGetsNothing() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            try bench.program.rename(bench.path("in").bytes, to: bench.path("away").bytes)
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(try bench.putBack([source], isDryRun: true).first?.failure == "its folder is not online")
            #expect(try putBack("in/a.jpg", bench)?.failure == "its folder is not online")
        }
    }

    @Test(arguments: BenchDisk.allCases) func itHasItsTimeAndAModeThatFitsItsDirectory(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.touch("in/a.jpg", modified: 1_234_567_890_123_000_000)
            _ = try bench.flush()
            let directory = try bench.machine.files.openDirectory(bench.path("in").bytes)
            try bench.machine.files.setMode(directory, 0o2775)
            #expect(try putBack("in/a.jpg", bench)?.failure == nil)
            let status = try bench.machine.files.status(at: Array("a.jpg".utf8), in: directory)
            #expect(status.modified == 1_234_567_890_123_000_000 && status.mode == 0o664)
        }
    }

    @Test(arguments: BenchDisk.allCases) func missingDirectoriesAreMadeLikeTheOneThatTheyAreIn(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            for name in ["in/x", "in/x/y"] { try bench.makeDirectory(name) }
            try bench.write("in/x/y/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            for name in ["in/x/y", "in/x"] { try bench.removeDirectory(bench.path(name)) }
            let directory = try bench.machine.files.openDirectory(bench.path("in").bytes)
            try bench.machine.files.setMode(directory, 0o750)
            #expect(try putBack("in/x/y/a.jpg", bench)?.failure == nil)
            let file = try bench.machine.files.status(at: Array("x/y/a.jpg".utf8), in: directory)
            #expect(try bench.machine.files.status(at: Array("x/y".utf8), in: directory).mode == 0o750)
            #expect(file.mode == 0o640)
        }
    }

    /// On a disk that loses what was not synced.
    @Test func madeDirectoriesSurviveAPowerCut() throws {
        try withBench { bench in
            for name in ["in/x", "in/x/y"] { try bench.makeDirectory(name) }
            try bench.write("in/x/y/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            for name in ["in/x/y", "in/x"] { try bench.removeDirectory(bench.path(name)) }
            #expect(try putBack("in/x/y/a.jpg", bench)?.failure == nil)
            bench.crashes.crash(.powerCut)
            try bench.restart()
            #expect(try bench.program.read(bench.path("in/x/y/a.jpg").bytes) == SampleMedia.picture(1))
        }
    }

    /// Were it imported again, it would be removed again, and its asset may be in Recently Deleted.
    @Test(arguments: BenchDisk.allCases) func renamedOrTouchedItStays(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            let asset = try #require(try bench.source("in/a.jpg")?.localIdentifier)
            try bench.library?.onThread { library in
                _ = try library.performChanges(origin: "test") { try $0.trash([asset], reason: .undone) }
            }
            #expect(try putBack("in/a.jpg", bench)?.failure == nil)
            bench.notePutBack(of: bench.path("in/a.jpg"), SampleMedia.picture(1))
            try bench.touch("in/a.jpg", modified: 1_000_000_000_000)
            _ = try bench.flush()
            try bench.rename("in/a.jpg", to: "in/b.jpg")
            _ = try bench.flush()
            #expect(try bench.program.read(bench.path("in/b.jpg").bytes) == SampleMedia.picture(1))
            let row = try #require(try bench.source("in/b.jpg"))
            #expect(row.localIdentifier == asset && row.reason == .putBack)
            #expect(try bench.asset(of: "in/b.jpg")?.state == .trashed && bench.source("in/a.jpg") == nil)
        }
    }

    @Test(arguments: [Milestone.putBackNoted, .putBackBegun, .putBackCopied, .sourcePutBack], CrashKind.allCases)
    func aCrashLeavesTheFileOrNothing(milestone: Milestone, kind: CrashKind) throws {
        try withBench(test: "\(milestone) \(kind)") { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            let asset = try #require(try bench.source("in/a.jpg")?.localIdentifier)
            try bench.library?.onThread { library in
                _ = try library.performChanges(origin: "test") { try $0.trash([asset], reason: .undone) }
            }
            bench.crashes.arm(kind, at: milestone)
            #expect(throws: SimulatedCrash.self) { try putBack("in/a.jpg", bench) }
            try bench.restart()
            for _ in 0..<2 { try bench.scan() }
            let root = try bench.simulation.files.openDirectory(bench.path("in").bytes)
            let names = try bench.simulation.files.list(root).map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
            let isBack = milestone == .sourcePutBack
            #expect(names == [Array(".albumd-folder".utf8)] + (isBack ? [Array("a.jpg".utf8)] : []))
            let row = try #require(try bench.source("in/a.jpg"))
            #expect(row.isRemoved == !isBack && row.localIdentifier == asset && (row.reason == .putBack) == isBack)
            #expect(try bench.asset(of: "in/a.jpg")?.state == .trashed)
            if !isBack { #expect(try putBack("in/a.jpg", bench)?.failure == nil) }
        }
    }

    /// What an albumd that was killed had left before its row said so; and what is somebody else's.
    @Test func aLeftoverIsReplacedWhereItsBytesAreTheOriginals() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            let name = "in/.albumd-\(try hash(of: "a.jpg").prefix(16)).part"
            try bench.write(name, [1, 2, 3])
            let refusal = try putBack("in/a.jpg", bench)?.failure
            #expect(refusal?.contains("stands beside it") == true && refusal?.contains("remove it") == true)
            #expect(try bench.program.read(bench.path(name).bytes) == [1, 2, 3])
            try bench.program.unlink(bench.path(name).bytes)
            try bench.write(name, Array(SampleMedia.picture(1).prefix(5)))
            #expect(try putBack("in/a.jpg", bench)?.failure == nil)
            #expect((try? bench.program.read(bench.path(name).bytes)) == nil)
        }
    }

    private func hash(of path: String) throws -> String {
        var hasher = ContentHasher()
        Array(path.utf8).withUnsafeBytes { hasher.update($0) }
        return try #require(ContentHash(bytes: hasher.finish())).hexadecimal
    }

    @Test func aDirectoryThatBecameASymlinkLeadsNowhere() throws {
        try withBench { bench in
            try bench.makeDirectory("in/sub")
            try bench.program.makeDirectory(bench.path("elsewhere").bytes)
            try bench.write("in/sub/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            try bench.program.removeDirectory(bench.path("in/sub").bytes)
            try bench.program.makeSymlink(bench.path("in/sub").bytes, to: bench.path("elsewhere").bytes)
            #expect(try putBack("in/sub/a.jpg", bench)?.failure != nil)
            #expect((try? bench.program.read(bench.path("elsewhere/a.jpg").bytes)) == nil)
        }
    }

    @Test func aDiskThatFailsLeavesNothingHalf() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            bench.simulation.files.failNext(.syncOfFile, EIO)
            #expect(try putBack("in/a.jpg", bench)?.failure != nil)
            let root = try bench.simulation.files.openDirectory(bench.path("in").bytes)
            #expect(try bench.simulation.files.list(root).map(\.name) == [Array(".albumd-folder".utf8)])
        }
    }
}
