import FoundationEssentials
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct SimulatedFaultsTests {
    private func run(_ body: (Bench, SimulatedFiles) throws -> Void) throws {
        let simulation = SimulatedMachine()
        try simulation.program.makeDirectory("/d")
        try body(try Bench(files: simulation.files, program: simulation.program, path: "/d"), simulation.files)
    }

    @Test func aVerbFailsWhenItWasTold() throws {
        try run { bench, files in
            files.failNext(.create, EMFILE, skipping: 1)
            try bench.create("a")
            #expect(code { try bench.create("b") } == EMFILE)
            try bench.create("b")
            #expect(files.callCount(.create) == 3)
        }
    }

    @Test func aFullDiskTakesWhatFitsAndHasRoomAgainAfterARemoval() throws {
        try run { bench, files in
            files.configure { $0.capacity = 10 }
            let file = try bench.create("a", "12345678")
            #expect(code { try writeBytes(file, bytes("abcdef"), files: files, at: 6) } == ENOSPC)
            #expect(try bench.content("a") == "123456abcd")
            #expect(try files.fileSystem(of: bench.root).freeBytes == 0)
            try files.unlink(bytes("a"), in: bench.root)
            try file.close()
            #expect(try files.fileSystem(of: bench.root).freeBytes == 10)
        }
    }

    @Test func aReadOnlyDiskIsReadAndNotChanged() throws {
        try run { bench, files in
            try bench.create("a", "x")
            files.configure { $0.isReadOnly = true }
            #expect(code { try bench.create("b") } == EROFS)
            #expect(code { try files.unlink(bytes("a"), in: bench.root) } == EROFS)
            #expect(code { try files.rename(bytes("a"), in: bench.root, to: bytes("b"), in: bench.root) } == EROFS)
            #expect(try files.fileSystem(of: bench.root).isReadOnly)
            #expect(try bench.content("a") == "x")
        }
    }

    @Test func aBrokenDirectoryIsUnknownUntilItIsHealed() throws {
        try run { bench, files in
            let below = try bench.makeDirectory("e")
            try files.breakNode(at: bytes("/d/e"), EIO)
            #expect(code { _ = try files.list(below) } == EIO)
            #expect(code { _ = try files.status(at: bytes("e/x"), in: bench.root) } == EIO)
            try files.heal(at: bytes("/d/e"))
            #expect(try files.list(below).isEmpty)
        }
    }

    @Test func inodesAreReusedOnlyWhenAsked() throws {
        try run { bench, files in
            func nextInode() throws -> (UInt64, [UInt8]?) {
                try bench.program.write("/d/a", "x")
                let file = try files.openForReading(bytes("a"), beneath: bench.root)
                defer { try? bench.program.unlink("/d/a") }
                return (try files.status(of: file).inode, files.handle(of: file))
            }
            let first = try nextInode()
            let second = try nextInode()
            #expect(first.0 != second.0)
            files.configure { $0.reusesInodes = true }
            let third = try nextInode()
            #expect(third.0 == first.0 || third.0 == second.0)
            #expect(third.1 != first.1 && third.1 != second.1)
        }
    }

    @Test func aDiskWithoutLeasesOrHandlesSaysSo() throws {
        try run { bench, files in
            try bench.program.write("/d/a", "x")
            let file = try files.openForReading(bytes("a"), beneath: bench.root)
            files.configure {
                $0.hasLeases = false
                $0.hasHandles = false
                $0.hasBirthTimes = false
            }
            #expect(try files.takeLease(file) == .unavailable)
            #expect(files.handle(of: file) == nil)
            #expect(try files.status(of: file).born == nil)
        }
    }

    @Test func theMachineRepeatsItself() throws {
        let simulation = SimulatedMachine()
        let machine = simulation.machine
        let start = machine.now()
        simulation.advance(by: .seconds(90))
        #expect(machine.now().timeIntervalSince(start) == 90)
        #expect(machine.makeUUID().uuidString == "00000000-0000-4000-8000-000000000001")
        #expect(machine.makeUUID().uuidString == "00000000-0000-4000-8000-000000000002")
        simulation.onReach { milestone in
            if milestone == .staged { throw FileError(code: EINTR, verb: "stop") }
        }
        try machine.reach(.sourceOpened)
        #expect(throws: FileError(code: EINTR, verb: "stop")) { try machine.reach(.staged) }
        #expect(simulation.reached == [.sourceOpened, .staged])
        machine.log(.notice, "hello", ["a": "b"])
        #expect(simulation.logEntries.map(\.message) == ["hello"])
    }
}
