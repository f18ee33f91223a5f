import Glibc
import Platform
import TestSupport
import Testing

/// What is removed is the file that was looked at, and no other that stands under its name by then.
@Suite struct SetAsideTests {
    private let files = LinuxFiles()

    private func withDirectory(
        _ test: String = #function, _ body: (ScratchFolder, OpenFile) throws -> Void
    ) throws {
        try withScratchFolder(test) { try body($0, files.openDirectory($0.bytes)) }
    }

    private func write(_ name: String, _ text: String, in directory: OpenFile) throws {
        let file = try files.create(Array(name.utf8), in: directory)
        try writeBytes(file, Array(text.utf8), files: files, at: 0)
    }

    private func text(_ name: [UInt8], in directory: OpenFile) throws -> String {
        let file = try files.openForReading(name, beneath: directory)
        return String(decoding: try readBytes(file, files: files, at: 0, count: 100), as: UTF8.self)
    }

    private func names(in directory: OpenFile) throws -> [String] {
        try files.list(directory).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    }

    private let name = Array("a.jpg".utf8)

    @Test func theFileThatWasLookedAtGoes() throws {
        try withDirectory { _, directory in
            try write("a.jpg", "a photo", in: directory)
            let file = try files.openForReading(name, beneath: directory)
            let aside = SetAside(name, in: directory, files: files)
            #expect(try aside.remove(file, files.status(of: file), lease: .unavailable))
            #expect(try names(in: directory).isEmpty)
        }
    }

    @Test func anotherFileUnderItsNameStays() throws {
        try withDirectory { _, directory in
            try write("a.jpg", "a photo", in: directory)
            let file = try files.openForReading(name, beneath: directory)
            let status = try files.status(of: file)
            try files.unlink(name, in: directory)
            try write("a.jpg", "another", in: directory)
            #expect(try !SetAside(name, in: directory, files: files).remove(file, status, lease: .unavailable))
            #expect(try names(in: directory) == ["a.jpg"])
            #expect(try text(name, in: directory) == "another")
        }
    }

    @Test func whatWasWrittenSinceStays() throws {
        try withDirectory { _, directory in
            try write("a.jpg", "a photo", in: directory)
            let file = try files.openForReading(name, beneath: directory)
            let status = try files.status(of: file)
            try writeBytes(files.openForUpdating(name, in: directory), Array("more".utf8), files: files, at: 7)
            #expect(try !SetAside(name, in: directory, files: files).remove(file, status, lease: .unavailable))
            #expect(try text(name, in: directory) == "a photomore")
        }
    }

    /// Somebody waits until he may write.
    @Test func aFileWhoseLeaseIsBrokenStays() throws {
        try withDirectory { scratch, directory in
            try write("a.jpg", "a photo", in: directory)
            let file = try files.openForReading(name, beneath: directory)
            try #require(files.takeLease(file) == .granted)
            let path = scratch.path + "/a.jpg"
            let writer = NamedThread.start("writer") { close(open(path, O_WRONLY)) }
            while files.holdsLease(file) { sched_yield() }
            let aside = SetAside(name, in: directory, files: files)
            #expect(try !aside.remove(file, files.status(of: file), lease: .granted))
            files.dropLease(file)
            writer.join()
            #expect(try text(name, in: directory) == "a photo")
        }
    }

    private func leave(_ text: String, in directory: OpenFile) throws {
        try write(String(decoding: AsideName.aside(of: name), as: UTF8.self), text, in: directory)
    }

    @Test func whatACrashLeftHasItsNameAgain() throws {
        try withDirectory { _, directory in
            #expect(try SetAside(name, in: directory, files: files).giveBack() == nil)
            try leave("left", in: directory)
            let left = try #require(SetAside(left: AsideName.aside(of: name), in: directory, files: files))
            #expect(try left.giveBack() == name)
            #expect(try names(in: directory) == ["a.jpg"])
        }
    }

    @Test func whereItsNameIsTakenItIsSeenBeside() throws {
        try withDirectory { _, directory in
            let aside = SetAside(name, in: directory, files: files)
            try write("a.jpg", "newer", in: directory)
            for number in 1...2 {
                try leave("left \(number)", in: directory)
                try aside.giveBack()
            }
            #expect(try names(in: directory) == ["a-albumd-kept-2.jpg", "a-albumd-kept.jpg", "a.jpg"])
            #expect(try text(name, in: directory) == "newer")
            #expect(try text(Array("a-albumd-kept.jpg".utf8), in: directory) == "left 1")
        }
    }

    /// A camera that counts round gives the same name again.
    @Test func whatACrashLeftIsInNobodysWay() throws {
        try withDirectory { _, directory in
            try leave("left", in: directory)
            try write("a.jpg", "another", in: directory)
            let file = try files.openForReading(name, beneath: directory)
            let aside = SetAside(name, in: directory, files: files)
            #expect(try aside.remove(file, files.status(of: file), lease: .unavailable))
            #expect(try names(in: directory) == ["a-albumd-kept.jpg"])
        }
    }

    @Test(arguments: [1, 100, 237, 238, 255]) func anAsideNameTellsTheNameWhereThereIsRoom(length: Int) {
        let name = [UInt8](repeating: UInt8(ascii: "n"), count: length - 1) + Array("é.jpeg".utf8).suffix(1)
        let aside = AsideName.aside(of: name)
        #expect(aside.count <= 255 && aside == AsideName.aside(of: name))
        #expect((AsideName.name(in: aside) == name) == (length <= 237))
        #expect(AsideName.name(in: name) == nil)
    }

    @Test func aNameThatIsTooLongKeepsItsExtension() throws {
        try withDirectory { _, directory in
            let long = [UInt8](repeating: UInt8(ascii: "n"), count: 250) + Array(".jpg".utf8)
            let aside = AsideName.aside(of: long)
            try write(String(decoding: aside, as: UTF8.self), "left", in: directory)
            let name = try #require(try SetAside(left: aside, in: directory, files: files)?.giveBack())
            #expect(String(decoding: name, as: UTF8.self).hasSuffix(".jpg"))
        }
    }
}
