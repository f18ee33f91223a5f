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
        _ disk: BenchDisk = .simulated, _ test: String = #function, _ body: (EngineBench) throws -> Void
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
            #expect(try putBack("in/a.jpg", bench)?.failure == "something else stands there")
        }
    }

    @Test func aFolderThatIsOfflineGetsNothing() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            _ = try bench.flush()
            try bench.program.rename(bench.path("in").bytes, to: bench.path("away").bytes)
            #expect(try putBack("in/a.jpg", bench)?.failure == "its folder is not online")
        }
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
