import TestSupport
import Testing

@testable import albumctl

/// Runs one command line against a daemon that answers so: what came of it, and what the daemon was asked.
func ranAndAsked(
    _ arguments: [String], answer: @escaping FakeDaemon.Answer
) async throws -> (Ran, [FakeDaemon.Asked]) {
    var ran: Ran?
    var asked: [FakeDaemon.Asked] = []
    try await withScratchFolder { folder in
        try await FakeDaemon.with(in: folder, answer: answer) { daemon in
            ran = try await albumctl(
                arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:], isTerminal: false)
            asked = daemon.asked
        }
    }
    return (try #require(ran), asked)
}
