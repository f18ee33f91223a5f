import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileOpeningTests {
    @Test(arguments: Disk.allCases) func aSymlinkIsNeverOpened(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.write(bench.at("real"), "x")
            try bench.program.makeSymlink(bench.at("link"), to: "real")
            #expect(code { _ = try bench.files.openForReading(bytes("link"), beneath: bench.root) } == ELOOP)
            #expect(code { _ = try bench.files.openForUpdating(bytes("link"), in: bench.root) } == ELOOP)
        }
    }

    @Test(arguments: Disk.allCases) func noPathGoesThroughASymlink(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.makeDirectory(bench.at("real"))
            try bench.program.write(bench.at("real/a"), "x")
            try bench.program.makeSymlink(bench.at("link"), to: "real")
            #expect(code { _ = try bench.files.openForReading(bytes("link/a"), beneath: bench.root) } == ELOOP)
            #expect(code { _ = try bench.files.openDirectory(bytes("link"), beneath: bench.root) } == ELOOP)
            #expect(code { _ = try bench.files.status(at: bytes("link/a"), in: bench.root) } == ELOOP)
            #expect(code { try bench.files.unlink(bytes("link/a"), in: bench.root) } == ELOOP)
            #expect(try bench.content("real/a") == "x")
        }
    }

    @Test(arguments: Disk.allCases) func noPathLeadsOutOfItsRoot(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.makeDirectory(bench.at("in"))
            try bench.program.write(bench.at("secret"), "x")
            let inside = try bench.files.openDirectory(bytes("in"), beneath: bench.root)
            let absolute = bytes(bench.at("secret"))
            for path in [bytes("../secret"), bytes("../in/../secret"), absolute] {
                #expect(code { _ = try bench.files.openForReading(path, beneath: inside) } == EXDEV)
                #expect(code { _ = try bench.files.status(at: path, in: inside) } == EXDEV)
                #expect(code { try bench.files.unlink(path, in: inside) } == EXDEV)
            }
            #expect(code { _ = try bench.files.openDirectory(bytes(".."), beneath: inside) } == EXDEV)
        }
    }

    /// /proc is another mount wherever Linux runs.
    @Test(arguments: [LinuxFiles(), LinuxFiles.walking]) func noPathLeadsIntoAnotherMount(files: LinuxFiles) throws {
        let root = try files.openDirectory(bytes("/"))
        for path in ["proc", "proc/self"] {
            #expect(code { _ = try files.openDirectory(bytes(path), beneath: root) } == EXDEV)
        }
        #expect(code { _ = try files.openForReading(bytes("proc/version"), beneath: root) } == EXDEV)
    }

    @Test(arguments: Disk.allCases) func aNameIsOneComponent(disk: Disk) throws {
        try disk.run { bench in
            _ = try bench.makeDirectory("d")
            for name in [[], bytes("."), bytes(".."), bytes("d/x"), bytes("/x"), bytes("a\0b")] {
                #expect(code { _ = try bench.files.create(name, in: bench.root) } == EINVAL)
                #expect(code { try bench.files.makeDirectory(name, in: bench.root) } == EINVAL)
            }
            #expect(code { _ = try bench.files.status(at: bytes(".."), in: bench.root) } == EINVAL)
            #expect(code { _ = try bench.files.openForReading(bytes("a\0b"), beneath: bench.root) } == EINVAL)
        }
    }

    @Test(arguments: Disk.allCases) func aFIFOOpensWithoutWaiting(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.makeFIFO(bench.at("pipe"))
            let file = try bench.files.openForReading(bytes("pipe"), beneath: bench.root)
            #expect(try bench.files.status(of: file).kind == .other)
            #expect(try bench.files.list(bench.root) == [DirectoryEntry(name: bytes("pipe"), kind: .other)])
        }
    }

    @Test(arguments: Disk.allCases) func rootsFollowSymlinks(disk: Disk) throws {
        try disk.run { bench in
            try bench.program.makeDirectory(bench.at("real"))
            try bench.program.write(bench.at("real/a"), "x")
            try bench.program.makeSymlink(bench.at("link"), to: "real")
            let root = try bench.files.openDirectory(bytes(bench.at("link")))
            #expect(try bench.files.list(root).map(\.name) == [bytes("a")])
            #expect(code { _ = try bench.files.openDirectory(bytes("relative")) } == EINVAL)
        }
    }

    @Test(arguments: Disk.allCases) func whatIsMissingOrOfAnotherKindSaysSo(disk: Disk) throws {
        try disk.run { bench in
            try bench.create("file")
            #expect(code { _ = try bench.files.openForReading(bytes("none"), beneath: bench.root) } == ENOENT)
            #expect(code { _ = try bench.files.openDirectory(bytes("file"), beneath: bench.root) } == ENOTDIR)
            #expect(code { _ = try bench.files.openForReading(bytes("file/x"), beneath: bench.root) } == ENOTDIR)
            #expect(code { _ = try bench.files.status(at: bytes("file/x"), in: bench.root) } == ENOTDIR)
            #expect(code { _ = try bench.files.create(bytes("file"), in: bench.root) } == EEXIST)
            #expect(code { try bench.files.makeDirectory(bytes("file"), in: bench.root) } == EEXIST)
        }
    }

    @Test(arguments: Disk.allCases) func aClosedDescriptorIsDead(disk: Disk) throws {
        try disk.run { bench in
            let file = try bench.create("a", "x")
            try file.close()
            try file.close()
            #expect(code { try bench.files.close(file.descriptor) } == EBADF)
        }
    }
}
