import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Full, failing and read-only disks: the source stays, the reason is told, and recovery comes by itself (RULES R10-R14).
@Suite struct DiskFaultTests {
    private func withBench(_ body: (EngineBench) throws -> Void) throws {
        try BenchDisk.simulated.withBench { try body($0) }
    }

    private func fill(_ bench: EngineBench, leaving rest: Int64) throws {
        let root = try bench.simulation.files.openDirectory(Array("/".utf8))
        let free = try bench.simulation.files.fileSystem(of: root).freeBytes
        bench.simulation.files.configure { $0.capacity -= free - rest }
    }

    private func free(_ bench: EngineBench) { bench.simulation.files.configure { $0.capacity = 1 << 40 } }

    @Test func aFullDiskPausesImportsUntilThereIsRoom() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try fill(bench, leaving: 100)
            #expect(try bench.flush().waiting == [.noSpace: 2])
            #expect(bench.engine?.status.pause != nil)
            #expect(try bench.catalogue().assetCount() == 0)
            free(bench)
            try bench.run(for: .seconds(310))
            #expect(try bench.catalogue().assetCount() == 2)
            #expect(bench.engine?.status.pause == nil)
        }
    }

    @Test func aDiskThatFillsDuringTheCopyLeavesNothingInStaging() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1, byteCount: 5000))
            bench.simulation.files.failNext(.write, ENOSPC)
            #expect(try bench.flush().waiting == [.noSpace: 1])
            let staging = try bench.machine.files.openDirectory(bench.libraryPath + Array("/staging".utf8))
            #expect(try bench.machine.files.list(staging).isEmpty)
            try bench.run(for: .seconds(20))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    /// What the library's own files refuse is never the source's fault: it waits, and is told so.
    @Test(arguments: [EACCES, ENOENT, EXDEV, ELOOP, EIO])
    func aStagingDirectoryThatTakesNothingKeepsEverythingWaiting(code: Int32) throws {
        try withBench { bench in
            for _ in 0..<6 { bench.simulation.files.failNext(.create, code) }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            #expect(try bench.flush().waiting == [.ioError: 2])
            #expect(bench.engine?.status.pause?.contains("the library cannot take it") == true)
            #expect(bench.simulation.logEntries.contains { $0.message.contains("imports are paused") })
            try bench.run(for: .seconds(310))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            #expect(try bench.source("in/b.jpg")?.outcome == .imported)
            #expect(bench.engine?.status.pause == nil)
        }
    }

    /// Whether the library is in its place cannot be told then, and that is no reason to end.
    @Test(arguments: [EMFILE, EACCES, EIO]) func aLibraryThatCannotBeLookedAtNowIsNotGone(code: Int32) throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.simulation.files.failNext(.openDirectory, code)
            try bench.run(for: .seconds(60))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aDirectoryOfTheLibraryThatWasRemovedEndsTheEngine() throws {
        try withBench { bench in
            try bench.program.removeDirectory(bench.libraryPath + Array("/staging".utf8))
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            #expect(throws: LibraryError.self) { try bench.run(for: .seconds(60)) }
            try bench.restart()
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func anOriginalThatRottedAndIsStoredAnewIsToldOf() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let hash = try #require(SampleMedia.hash(SampleMedia.picture(1))).hexadecimal
            let path = bench.libraryPath + Array("/originals/\(hash.prefix(2))/\(hash).jpg".utf8)
            try bench.program.write(path, Array("rotten".utf8))
            try bench.write("in/b.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(try bench.program.read(path) == SampleMedia.picture(1))
            #expect(bench.simulation.logEntries.contains { $0.message.contains("is stored anew") })
        }
    }

    @Test func aFileTooBigForTheDiskKeepsNoOtherWaiting() throws {
        try withBench { bench in
            try bench.write("in/big.jpg", SampleMedia.picture(1, byteCount: 3 << 20))
            try fill(bench, leaving: 30 << 20)
            let reserve = bench.simulation.files.settings.capacity / 100
            try fill(bench, leaving: reserve + (2 << 20))
            #expect(try bench.flush().waiting == [.noSpace: 1])
            try bench.write("in/small.jpg", SampleMedia.picture(2))
            try bench.run(for: .seconds(3))
            #expect(try bench.source("in/small.jpg")?.outcome == .imported)
            free(bench)
            try bench.run(for: .seconds(70))
            #expect(try bench.source("in/big.jpg")?.outcome == .imported)
        }
    }

    @Test func aLibraryThatCannotBeWrittenIsTriedAgain() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.simulation.files.configure { $0.isReadOnly = true }
            #expect(try bench.flush().waiting == [.libraryReadOnly: 1])
            bench.simulation.files.configure { $0.isReadOnly = false }
            try bench.run(for: .seconds(310))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    /// However often it happens, it is no fault of the file: it does not become one that has failed.
    @Test(arguments: [EMFILE, ENFILE]) func withoutADescriptorImportsPause(code: Int32) throws {
        try withBench { bench in
            for _ in 0..<5 { bench.simulation.files.failNext(.create, code) }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            #expect(try bench.flush().waiting == [.tooManyOpenFiles: 1])
            #expect(bench.engine?.status.pause != nil)
            try bench.run(for: .seconds(301))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            #expect(bench.engine?.status.pause == nil)
        }
    }

    @Test func aFileThatCannotBeLookedAtForWantOfADescriptorWaits() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.simulation.files.breakNode(at: bench.path("in/a.jpg").bytes, EMFILE)
            try bench.run(for: .seconds(301))
            #expect(bench.board.candidates().map(\.reason) == [.tooManyOpenFiles])
            try bench.simulation.files.heal(at: bench.path("in/a.jpg").bytes)
            try bench.run(for: .seconds(301))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aFileThatCannotBeReadThreeTimesHasFailedAndKeepsNoOtherWaiting() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            try bench.simulation.files.breakNode(at: bench.path("in/a.jpg").bytes, EIO)
            try bench.run(for: .seconds(60))
            let failed = try #require(try bench.source("in/a.jpg"))
            #expect(failed.outcome == .failed && failed.reason == .ioError)
            #expect(try bench.source("in/b.jpg")?.outcome == .imported)
            try bench.simulation.files.heal(at: bench.path("in/a.jpg").bytes)
            try bench.scan()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func aFileThatMayNotBeReadIsBlockedAndTakenWhenItMay() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.simulation.files.breakNode(at: bench.path("in/a.jpg").bytes, EACCES)
            try bench.flush()
            let blocked = try #require(try bench.source("in/a.jpg"))
            #expect(blocked.outcome == .blocked && blocked.reason == .permission)
            try bench.simulation.files.heal(at: bench.path("in/a.jpg").bytes)
            try bench.touch("in/a.jpg", modified: 1)
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }

    @Test func rightsThatAreTakenAwayDoNotEndAMapping() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let asset = try #require(try bench.source("in/a.jpg")?.localIdentifier)
            try bench.simulation.files.breakNode(at: bench.path("in/a.jpg").bytes, EACCES)
            try bench.touch("in/a.jpg", modified: 1)
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .blocked)
            #expect(try bench.source("in/a.jpg")?.localIdentifier == asset)
            try bench.simulation.files.heal(at: bench.path("in/a.jpg").bytes)
            try bench.scan()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            #expect(try bench.source("in/a.jpg")?.localIdentifier == asset)
        }
    }

    @Test func aBlockedFileThatGoesIsNoLongerWaitedFor() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.simulation.files.breakNode(at: bench.path("in/a.jpg").bytes, EACCES)
            try bench.touch("in/a.jpg", modified: 1)
            try bench.flush()
            try bench.remove("in/a.jpg")
            try bench.flush()
            #expect(try bench.catalogue().waitingSources(after: 0, limit: 10).rows.isEmpty)
            #expect(try bench.source("in/a.jpg")?.localIdentifier != nil)
        }
    }

    @Test func aSyncThatFailsOnceIsNotTriedAgainOnTheSameFile() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.simulation.files.failNext(.syncOfFile, EIO)
            try bench.flush()
            #expect(try bench.catalogue().assetCount() == 0)
            try bench.run(for: .seconds(20))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            bench.crashes.crash(.powerCut)
            try bench.restart()
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            let content = try #require(asset.resources.first?.versions.first?.content)
            #expect(try bench.library?.directory.originals.isSound(content) == true)
        }
    }

    @Test func aDiskThatFailsTwiceStopsImports() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.simulation.files.failNext(.syncOfFile, EIO)
            bench.simulation.files.failNext(.syncOfFile, EIO)
            try bench.run(for: .seconds(60))
            #expect(bench.board.candidates().map(\.reason) == [.libraryReadOnly])
            try bench.restart()
            try bench.flush()
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
        }
    }
}
