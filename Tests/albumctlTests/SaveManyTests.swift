import Control
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

@Suite struct SaveManyTests {
    private static func answer(_ asked: FakeDaemon.Asked) -> Response {
        guard let hash = ContentHash(bytes: [UInt8](repeating: 1, count: 32)) else { return .json([""]) }
        return .json(Sample.saved(hash))
    }

    @Test func oneBadFileDoesNotStopTheOthers() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "a")
            try PosixProgram().write(folder.path("b.jpg"), "b")
            try await FakeDaemon.with(in: folder, answer: { Self.answer($0) }) { daemon in
                let ran = try await albumctl(
                    "save", folder.path("a.jpg"), folder.path("gone.jpg"), folder.path("b.jpg"),
                    socket: daemon.socketPath)
                #expect(ran.code == 4)
                #expect(ran.lines.count == 2)
                #expect(ran.error.contains("gone.jpg: there is no such file"))
            }
        }
    }

    @Test func withoutADaemonTheFirstFileEndsIt() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "a")
            let ran = try await albumctl("save", folder.path("a.jpg"), folder.path("a.jpg"))
            #expect(ran.code == 69)
            #expect(ran.error.split(separator: "\n").count { $0.hasPrefix("albumctl:") } == 1)
        }
    }

    @Test(arguments: ["link.jpg", "fifo", "."])
    func onlyAPlainFileIsRemoved(name: String) async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "a")
            try PosixProgram().makeSymlink(folder.path("link.jpg"), to: folder.path("a.jpg"))
            try PosixProgram().makeFIFO(Array(folder.path("fifo").utf8))
            try await FakeDaemon.with(in: folder, answer: { Self.answer($0) }) { daemon in
                let ran = try await albumctl(
                    "save", folder.path(name), "--source", "delete", socket: daemon.socketPath)
                #expect([2, 5].contains(ran.code))
                #expect(daemon.asked.isEmpty)
                #expect(access(folder.path(name), F_OK) == 0)
            }
        }
    }
}
