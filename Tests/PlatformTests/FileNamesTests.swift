import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileNamesTests {
    @Test(arguments: Disk.allCases) func namesAreBytes(disk: Disk) throws {
        let names: Set<[UInt8]> = [
            [0x4A, 0xF1, 0x2E, 0x6A, 0x70, 0x67],  // Latin-1, not UTF-8
            bytes("\u{e9}.jpg"), bytes("e\u{301}.jpg"),  // the same text composed and decomposed
            bytes("a\nb"), bytes("-rf"), bytes(" "), Array(repeating: 0x61, count: 255),
        ]
        try disk.run { bench in
            for name in names { try bench.program.write(bytes(bench.path) + bytes("/") + name, name) }
            #expect(try bench.names() == names)
            for name in names {
                let file = try bench.files.openForReading(name, beneath: bench.root)
                #expect(try readBytes(file, files: bench.files, at: 0, count: 300) == name)
            }
        }
    }

    @Test(arguments: Disk.allCases) func aNameOf256BytesIsTooLong(disk: Disk) throws {
        try disk.run { bench in
            let name = [UInt8](repeating: 0x61, count: 256)
            #expect(code { _ = try bench.files.create(name, in: bench.root) } == ENAMETOOLONG)
        }
    }

    @Test(arguments: Disk.allCases) func aDirectoryCanBeListedTwiceAndAgainAfterAChange(disk: Disk) throws {
        try disk.run { bench in
            try bench.create("a")
            #expect(try bench.names() == [bytes("a")])
            #expect(try bench.names() == [bytes("a")])
            try bench.create("b")
            #expect(try bench.names() == [bytes("a"), bytes("b")])
        }
    }

    @Test(arguments: Disk.allCases) func listingSaysWhatEachEntryIs(disk: Disk) throws {
        try disk.run { bench in
            try bench.create("file")
            _ = try bench.makeDirectory("directory")
            try bench.program.makeSymlink(bench.at("link"), to: "nowhere")
            let expected: Set<DirectoryEntry> = [
                .init(name: bytes("file"), kind: .regular), .init(name: bytes("directory"), kind: .directory),
                .init(name: bytes("link"), kind: .symlink),
            ]
            #expect(Set(try bench.files.list(bench.root)) == expected)
        }
    }

    @Test(arguments: Disk.allCases) func onlyAnEmptyDirectoryIsRemoved(disk: Disk) throws {
        try disk.run { bench in
            let directory = try bench.makeDirectory("d")
            try bench.create("file", in: directory)
            try bench.create("f")
            #expect(code { try bench.files.removeDirectory(bytes("d"), in: bench.root) } == ENOTEMPTY)
            #expect(code { try bench.files.removeDirectory(bytes("f"), in: bench.root) } == ENOTDIR)
            #expect(code { try bench.files.removeDirectory(bytes("none"), in: bench.root) } == ENOENT)
            try bench.files.unlink(bytes("file"), in: directory)
            try bench.files.removeDirectory(bytes("d"), in: bench.root)
            #expect(try bench.names() == [bytes("f")])
        }
    }

    @Test(arguments: Disk.allCases) func renameNeverReplaces(disk: Disk) throws {
        try disk.run { bench in
            try bench.create("a", "old")
            try bench.create("b", "new")
            #expect(
                code { try bench.files.rename(bytes("b"), in: bench.root, to: bytes("a"), in: bench.root) } == EEXIST)
            #expect(
                code { try bench.files.rename(bytes("c"), in: bench.root, to: bytes("d"), in: bench.root) } == ENOENT)
            #expect(try bench.content("a") == "old")
            #expect(try bench.content("b") == "new")
        }
    }

    @Test(arguments: Disk.allCases) func renameMovesTheSameFile(disk: Disk) throws {
        try disk.run { bench in
            let before = try bench.files.status(of: try bench.create("a", "x"))
            let directory = try bench.makeDirectory("d")
            try bench.files.rename(bytes("a"), in: bench.root, to: bytes("b"), in: directory)
            let after = try bench.files.status(at: bytes("d/b"), in: bench.root)
            #expect(after.inode == before.inode && after.born == before.born)
            #expect(try bench.names() == [bytes("d")])
        }
    }

    @Test(arguments: Disk.allCases) func anUnlinkedFileCanStillBeReadByWhoHasItOpen(disk: Disk) throws {
        try disk.run { bench in
            let file = try bench.create("a", "x")
            try bench.files.unlink(bytes("a"), in: bench.root)
            #expect(try readBytes(file, files: bench.files, at: 0, count: 9) == bytes("x"))
            #expect(try bench.files.status(of: file).linkCount == 0)
            #expect(code { try bench.files.unlink(bytes("a"), in: bench.root) } == ENOENT)
        }
    }

    @Test(arguments: Disk.allCases) func unlinkTakesTheSymlinkAndNoDirectory(disk: Disk) throws {
        try disk.run { bench in
            let directory = try bench.makeDirectory("d")
            try bench.create("a", "x", in: directory)
            try bench.program.makeSymlink(bench.at("d/link"), to: "a")
            try bench.files.unlink(bytes("d/link"), in: bench.root)
            #expect(try bench.content("d/a") == "x")
            #expect(code { try bench.files.unlink(bytes("d"), in: bench.root) } == EISDIR)
        }
    }

    @Test(arguments: Disk.allCases) func nothingIsCreatedInADirectoryThatIsGone(disk: Disk) throws {
        try disk.run { bench in
            let directory = try bench.makeDirectory("d")
            try bench.program.removeDirectory(bench.at("d"))
            #expect(code { _ = try bench.files.create(bytes("a"), in: directory) } == ENOENT)
            #expect(try bench.files.list(directory).isEmpty)
        }
    }
}
