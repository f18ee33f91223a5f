import Control
import Platform
import TestSupport
import Testing

@testable import albumctl

/// What is no plain file is refused before it is opened.
@Suite struct SaveSourceTests {
    private enum Kind: String, CaseIterable, Sendable {
        case fifo
        case directory
        case device
        case socket

        func make(in folder: ScratchFolder) throws -> String {
            let path = folder.path("x.jpg")
            switch self {
            case .fifo: try PosixProgram().makeFIFO(path)
            case .directory: try PosixProgram().makeDirectory(path)
            case .device: return "/dev/null"
            // The fake daemon's own.
            case .socket: return folder.path("s")
            }
            return path
        }

        var words: String { self == .fifo ? "a FIFO" : "a \(rawValue)" }
    }

    @Test(arguments: Kind.allCases, ["keep", "trash", "delete"])
    private func whatIsNoPlainFileIsRefused(kind: Kind, wish: String) async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in Problem.badRequest("asked").response }) { daemon in
                let path = try kind.make(in: folder)
                let ran = try await albumctl("save", path, "--source", wish, socket: daemon.socketPath)
                #expect(ran.code == 2)
                #expect(ran.error.contains(kind.words), "\(ran.error)")
                #expect(ran.error.split(separator: "\n").count > 1, "what to do: \(ran.error)")
                #expect(daemon.asked.isEmpty)
            }
        }
    }

    @Test func aSymlinkToAFIFOIsRefusedToo() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().makeFIFO(folder.path("pipe"))
            try PosixProgram().makeSymlink(folder.path("link.jpg"), to: "pipe")
            #expect(try await albumctl("save", folder.path("link.jpg")).code == 2)
        }
    }

    @Test func aSymlinkIsNotRemoved() async throws {
        try await withScratchFolder { folder in
            try PosixProgram().write(folder.path("a.jpg"), "x")
            try PosixProgram().makeSymlink(folder.path("link.jpg"), to: "a.jpg")
            let ran = try await albumctl("save", folder.path("link.jpg"), "--source", "delete")
            #expect(ran.code == 5)
            #expect(ran.error.contains("--source keep"))
        }
    }
}
