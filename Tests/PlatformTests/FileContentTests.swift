import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileContentTests {
    @Test(arguments: Disk.allCases) func whatIsWrittenIsRead(disk: Disk) throws {
        try disk.run { bench in
            let file = try bench.create("a", "hello")
            try writeBytes(file, bytes("LL"), files: bench.files, at: 2)
            try writeBytes(file, bytes("!"), files: bench.files, at: 7)
            #expect(try bench.content("a") == "heLLo\0\0!")
            #expect(try bench.files.status(of: file).byteCount == 8)
            #expect(try readBytes(file, files: bench.files, at: 8, count: 4) == [])
        }
    }

    @Test(arguments: Disk.allCases) func updatingKeepsTheBytes(disk: Disk) throws {
        try disk.run { bench in
            try bench.create("a", "hello")
            let file = try bench.files.openForUpdating(bytes("a"), in: bench.root)
            try writeBytes(file, bytes("J"), files: bench.files, at: 0)
            #expect(try bench.content("a") == "Jello")
        }
    }

    @Test(arguments: Disk.allCases) func aFileOpenedForReadingIsNotWritten(disk: Disk) throws {
        try disk.run { bench in
            try bench.create("a", "x")
            let file = try bench.files.openForReading(bytes("a"), beneath: bench.root)
            #expect(code { try writeBytes(file, bytes("y"), files: bench.files, at: 0) } == EBADF)
        }
    }

    @Test(arguments: Disk.allCases) func readingADirectoryIsAnError(disk: Disk) throws {
        try disk.run { bench in
            #expect(code { _ = try readBytes(bench.root, files: bench.files, at: 0, count: 1) } == EISDIR)
            #expect(code { _ = try bench.files.list(try bench.create("file")) } == ENOTDIR)
        }
    }

    @Test(arguments: Disk.allCases) func newFilesAreForUsAloneUntilTheirModeIsSet(disk: Disk) throws {
        try disk.run { bench in
            let file = try bench.create("a")
            #expect(try bench.files.status(of: file).mode == 0o600)
            try bench.files.setMode(file, 0o400)
            #expect(try bench.files.status(at: bytes("a"), in: bench.root).mode == 0o400)
            #expect(try bench.files.status(of: try bench.makeDirectory("d")).mode == 0o700)
        }
    }

    @Test(arguments: Disk.allCases, [1_234_567_890_123_456_789, -1_500_000_000, 0] as [Int64])
    func theModificationTimeIsSetAndNoOther(disk: Disk, modified: Int64) throws {
        try disk.run { bench in
            let file = try bench.create("a")
            try bench.files.setModified(file, modified)
            #expect(try bench.files.status(of: file).modified == modified)
            #expect(try bench.files.status(of: file).byteCount == 0)
        }
    }

    @Test(arguments: Disk.allCases) func statusLooksAtTheSymlinkItself(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.makeSymlink(bench.at("link"), to: "nowhere")
            let status = try bench.files.status(at: bytes("link"), in: bench.root)
            #expect(status.kind == .symlink)
            #expect(status.byteCount == 7)
        }
    }

    @Test(arguments: Disk.allCases) func hardLinksAreOneFile(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("a"), "x")
            try bench.program.makeHardLink(bench.at("b"), of: bench.at("a"))
            let first = try bench.files.status(at: bytes("a"), in: bench.root)
            let second = try bench.files.status(at: bytes("b"), in: bench.root)
            #expect(first == second)
            #expect(first.linkCount == 2)
        }
    }

    @Test(arguments: Disk.allCases) func aTouchedFileHasTheTimeItWasGiven(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("a"), "x")
            try bench.program.touch(bench.at("a"), modified: 1_000_000_000_000_000_007)
            #expect(try bench.files.status(at: bytes("a"), in: bench.root).modified == 1_000_000_000_000_000_007)
        }
    }

    @Test(arguments: Disk.allCases) func handlesTellFilesApart(disk: Disk) throws {
        try disk.run { bench in
            let first = try bench.create("a")
            let second = try bench.create("b")
            guard let handle = bench.files.handle(of: first) else { return }
            #expect(handle != bench.files.handle(of: second))
            #expect(handle == bench.files.handle(of: try bench.files.openForReading(bytes("a"), beneath: bench.root)))
        }
    }

    @Test(arguments: Disk.allCases) func theFileSystemHasRoomAndAKind(disk: Disk) throws {
        try disk.run { bench in
            let facts = try bench.files.fileSystem(of: bench.root)
            #expect(facts.freeBytes > 0)
            #expect(facts.totalBytes >= facts.freeBytes)
            #expect(!facts.isReadOnly)
            #expect(facts.kind == .local)
            #expect(try bench.files.fileSystem(of: bench.root).identity == facts.identity)
        }
    }

    @Test(arguments: Disk.allCases) func syncingAndCloningHarmNothing(disk: Disk) throws {
        try disk.run { bench in
            let source = try bench.create("a", "x")
            let target = try bench.create("b")
            let isCloned = try bench.files.clone(source, to: target)
            bench.files.startWriteBack(source, from: 0, count: 1)
            try bench.files.sync(source)
            try bench.files.sync(bench.root)
            try bench.files.syncFileSystem(bench.root)
            #expect(try bench.content("b") == (isCloned ? "x" : ""))
        }
    }

    @Test(arguments: Disk.allCases) func aFileIsHashedWhole(disk: Disk) throws {
        try disk.run { bench in
            let content = [UInt8](repeating: 0x61, count: 1_000_000 + 48_577)
            try bench.program.write(bench.at("a"), content)
            let file = try bench.files.openForReading(bytes("a"), beneath: bench.root)
            var hasher = ContentHasher()
            content.withUnsafeBytes { hasher.update($0) }
            #expect(try ContentHasher.hash(file: file, files: bench.files) == hasher.finish())
        }
    }
}
