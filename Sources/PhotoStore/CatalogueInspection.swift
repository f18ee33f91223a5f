import Platform
import SQLite

/// Whether the catalogue, which an orderly stop vouched for at the start, has been checked since, and the originals been
/// compared with it (RULES R8).
///
/// Until it has, nothing is removed on its word, and nothing is called safe; everything else goes on.
package final class CatalogueInspection: Sendable {
    /// The daemon ended before the check did.
    package struct Ended: Error {}

    private struct State: Sendable {
        var result: Result<Void, any Error>?
        var isWanted = false
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var running: Connection.Interrupt?
    }

    private let state: Monitor<State>

    init(isOwed: Bool) { state = Monitor(State(result: isOwed ? nil : .success(()))) }

    package var hasPassed: Bool {
        if case .success = state.update({ $0.result }) { true } else { false }
    }

    /// Whether the daemon ended before it.
    package var hasEnded: Bool {
        if case .failure(let error) = state.update({ $0.result }) { error is Ended } else { false }
    }

    /// Asks for the check now.
    package func want() { state.update { $0.isWanted = true } }

    /// Blocks until somebody wants the check, or `time` has passed.
    package func awaitWanted(within time: Duration) {
        state.wait(for: time) { $0.isWanted || $0.result != nil ? () : nil }
    }

    /// Asks for the check, and returns whether it passed.
    ///
    /// Blocks. False where there is damage, or where the daemon ends first.
    package func awaitPass() -> Bool {
        want()
        if case .success = state.wait({ $0.result }) { return true }
        return false
    }

    /// Asks for the check, and returns when it has passed; throws what it found.
    package func requirePass() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.update { state in
                state.isWanted = true
                if state.result == nil { state.waiting.append(continuation) }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Makes the check on the calling thread, then what follows from it; throws what they found.
    func run(at path: String, vfs: String? = nil, then body: () throws -> Void) throws {
        let result = Result {
            try inspect(path, vfs: vfs)
            try body()
        }
        settle(result)
        try result.get()
    }

    /// Ends a check that has not ended, without a word on the catalogue.
    package func end() {
        state.update { $0.running?.send() }
        settle(.failure(Ended()))
    }

    private func inspect(_ path: String, vfs: String?) throws {
        // A connection that is read-only would pass over the CHECK constraints.
        let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
        defer {
            state.update { $0.running = nil }
            connection.close()
        }
        try connection.execute("PRAGMA query_only = ON")
        let interrupt = try connection.interrupt()
        let isEnded = state.update { state in
            state.running = interrupt
            return state.result != nil
        }
        guard !isEnded else { throw Ended() }
        let findings = try connection.quickCheck()
        guard findings.isEmpty else { throw LibraryError.catalogueDamaged(path: path, findings: findings) }
    }

    /// The first word counts.
    private func settle(_ result: Result<Void, any Error>) {
        let waiting = state.update { state in
            if state.result == nil { state.result = result }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
