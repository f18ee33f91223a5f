import Control
import TestSupport
import Testing

@testable import albumctl

/// What `folder add` says of a folder that is there, and of one that is not.
@Suite struct FolderAddTests {
    private func added(_ change: @escaping @Sendable (inout FolderRow) -> Void) async throws -> Ran {
        var ran: Ran?
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { _ in
                var row = Sample.folder()
                change(&row)
                return .json(row)
            }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                ran = try await albumctl("folder", "add", "/in", socket: daemon.socketPath)
            }
        }
        return try #require(ran)
    }

    @Test func aFolderThatIsThereIsWatched() async throws {
        #expect(try await added { _ in }.out == "Watching /in; its photos go to 'Inbox'.\n")
    }

    @Test func aFolderThatIsNotThereIsNotSaidToBeWatched() async throws {
        let ran = try await added { ($0.standing, $0.detail) = ("offline", "'/in' is not there") }
        #expect(ran.lines.first == "Added /in; its photos go to 'Inbox'.")
        #expect(ran.lines.last == "! /in: '/in' is not there")
    }
}
