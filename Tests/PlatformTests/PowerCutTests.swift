import Glibc
import Platform
import TestSupport
import Testing

/// What RULES R9 measured on real disks, asked of the simulated one.
@Suite struct PowerCutTests {
    /// Runs `body` on a fresh disk with /d, whose root and directory are durable.
    private func run(seed: UInt64 = 1, _ body: (Bench, SimulatedFiles) throws -> Void) throws {
        let simulation = SimulatedMachine(seed: seed)
        try simulation.program.makeDirectory("/d")
        try body(try Bench(files: simulation.files, program: simulation.program, path: "/d"), simulation.files)
    }

    /// The names in /d and what is in them, after the restart.
    private func survivors(_ files: SimulatedFiles) throws -> [String: String] {
        files.restart()
        let bench = try Bench(files: files, program: SimulatedProgram(on: files), path: "/d")
        let names = try bench.names().map { String(decoding: $0, as: UTF8.self) }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try bench.content($0)) })
    }

    @Test func withoutASyncEverythingCanBeLost() throws {
        try run { bench, files in
            try bench.create("a", "x")
            files.cutPower(.everythingUnsynced)
            #expect(try survivors(files) == [:])
        }
    }

    @Test func aSyncedFileWithoutItsDirectoryCanBeLost() throws {
        try run { bench, files in
            let file = try bench.create("a", "x")
            try files.sync(file)
            try files.rename(bytes("a"), in: bench.root, to: bytes("b"), in: bench.root)
            files.cutPower(.everythingUnsynced)
            #expect(try survivors(files) == [:])
        }
    }

    @Test func aSyncedDirectoryWithoutItsFileKeepsTheNameAlone() throws {
        try run { bench, files in
            try bench.create("a", "x")
            try files.sync(bench.root)
            files.cutPower(.everythingUnsynced)
            #expect(try survivors(files) == ["a": ""])
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func fileAndDirectorySyncedAreKeptWhateverTheSeed(seed: UInt64) throws {
        try run(seed: seed) { bench, files in
            let file = try bench.create("a", "x")
            try files.sync(file)
            try files.rename(bytes("a"), in: bench.root, to: bytes("b"), in: bench.root)
            try files.sync(bench.root)
            files.cutPower()
            #expect(try survivors(files) == ["b": "x"])
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func oneSyncOfTheFileSystemKeepsAll(seed: UInt64) throws {
        try run(seed: seed) { bench, files in
            let below = try bench.makeDirectory("e")
            try bench.create("a", "x", in: below)
            try files.rename(bytes("a"), in: below, to: bytes("b"), in: bench.root)
            try files.syncFileSystem(bench.root)
            files.cutPower()
            files.restart()
            let root = try files.openDirectory(bytes("/d"))
            #expect(try Set(files.list(root).map(\.name)) == [bytes("b"), bytes("e")])
            #expect(try files.status(at: bytes("b"), in: root).byteCount == 1)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func aRenameIsDoneOrUndoneButNeverHalf(seed: UInt64) throws {
        try run(seed: seed) { bench, files in
            try files.sync(try bench.create("a", "x"))
            let other = try bench.makeDirectory("e")
            try files.syncFileSystem(bench.root)
            try files.rename(bytes("a"), in: bench.root, to: bytes("b"), in: other)
            files.cutPower()
            files.restart()
            let root = try files.openDirectory(bytes("/d"))
            let isOld = code { _ = try files.status(at: bytes("a"), in: root) } == 0
            let isNew = code { _ = try files.status(at: bytes("e/b"), in: root) } == 0
            #expect(isOld != isNew)
        }
    }

    @Test(arguments: [false, true]) func syncingEitherDirectoryKeepsTheRename(syncsSource: Bool) throws {
        try run { bench, files in
            try files.sync(try bench.create("a", "x"))
            let other = try bench.makeDirectory("e")
            try files.sync(bench.root)
            try files.rename(bytes("a"), in: bench.root, to: bytes("b"), in: other)
            try files.sync(syncsSource ? bench.root : other)
            files.cutPower(.everythingUnsynced)
            files.restart()
            let root = try files.openDirectory(bytes("/d"))
            #expect(try files.list(root).map(\.name) == [bytes("e")])
            #expect(try files.status(at: bytes("e/b"), in: root).byteCount == 1)
        }
    }

    @Test func aFileInADirectoryWhoseParentWasNotSyncedIsLost() throws {
        try run { bench, files in
            let below = try bench.makeDirectory("e")
            try files.sync(try bench.create("a", "x", in: below))
            try files.sync(below)
            files.cutPower(.everythingUnsynced)
            #expect(try survivors(files) == [:])
        }
    }

    @Test func anUnsyncedRemovalCanBeUndone() throws {
        try run { bench, files in
            try files.sync(try bench.create("a", "x"))
            try files.sync(bench.root)
            try files.unlink(bytes("a"), in: bench.root)
            files.cutPower(.everythingUnsynced)
            #expect(try survivors(files) == ["a": "x"])
        }
    }

    @Test func seedsLoseDifferentThingsAndEachTheSameAgain() throws {
        func outcome(_ seed: UInt64) throws -> [String: String] {
            var result: [String: String] = [:]
            try run(seed: seed) { bench, files in
                for name in ["a", "b", "c"] { try bench.create(name, name + name) }
                files.cutPower()
                result = try survivors(files)
            }
            return result
        }
        let outcomes = try (0..<40 as Range<UInt64>).map(outcome)
        #expect(Set(outcomes).count > 8)
        #expect(outcomes.contains { !$0.isEmpty && $0.count < 3 })
        #expect(try (0..<40 as Range<UInt64>).map(outcome) == outcomes)
    }

    @Test func anOverwrittenFileIsOldOrNewOrTorn() throws {
        var seen: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            try run(seed: seed) { bench, files in
                let file = try bench.create("a", "oldold")
                try files.syncFileSystem(bench.root)
                try writeBytes(file, bytes("newnewnew"), files: files, at: 0)
                files.cutPower()
                seen.insert(try survivors(files)["a"] ?? "gone")
            }
        }
        #expect(seen.isSuperset(of: ["oldold", "newnewnew", "newnew"]))
        #expect(!seen.contains("gone"))
    }

    @Test func aFailedSyncIsNotMadeGoodByTheNext() throws {
        try run { bench, files in
            let file = try bench.create("a", "x")
            try files.sync(bench.root)
            files.failNext(.sync, EIO)
            #expect(code { try files.sync(file) } == EIO)
            try files.sync(file)
            files.cutPower(.nothing)
            #expect(try survivors(files) == ["a": ""])
        }
    }

    @Test func afterTheCutNothingCanBeDoneUntilTheRestart() throws {
        try run { bench, files in
            let file = try bench.create("a", "x")
            files.cutPower(.nothing)
            #expect(code { _ = try files.openDirectory(bytes("/d")) } == ESHUTDOWN)
            #expect(code { try files.sync(file) } == ESHUTDOWN)
            files.restart()
            #expect(code { try files.sync(file) } == EBADF)
            #expect(try survivors(files) == ["a": "x"])
        }
    }

    @Test func aKilledProcessForgetsNothingButItsDescriptors() throws {
        try run { bench, files in
            let file = try bench.create("a", "x")
            #expect(try files.lock(file))
            files.crash()
            #expect(files.openCount == 0)
            #expect(try survivors(files) == ["a": "x"])
            let root = try files.openDirectory(bytes("/d"))
            #expect(try files.lock(try files.openForUpdating(bytes("a"), in: root)))
        }
    }

    @Test func whatOtherProgramsDidIsKeptUnlessTheyDoNotSync() throws {
        try run { bench, files in
            try bench.program.write("/d/kept", "x")
            files.configure { $0.otherProgramsSync = false }
            try bench.program.write("/d/lost", "x")
            files.cutPower(.everythingUnsynced)
            #expect(try survivors(files) == ["kept": "x"])
        }
    }
}
