/// A fixed number of threads for work that blocks, called from async code; first come, first served.
///
/// The cooperative pool has one thread for each core: what blocks there stops everything else.
package final class BlockingPool: Sendable {
    private struct State: Sendable {
        var waiting: [@Sendable () -> Void] = []
        var isStopped = false
        var threads: [NamedThread] = []
    }

    private let state = Monitor(State())

    /// Starts the threads.
    ///
    /// The name has at most 15 bytes; `begin` is the first that each of them runs.
    package init(name: String, threadCount: Int, begin: @escaping @Sendable () -> Void = {}) {
        let state = state
        let threads = (0..<threadCount).map { _ in
            NamedThread.start(name) {
                begin()
                BlockingPool.run(state)
            }
        }
        state.update { $0.threads = threads }
    }

    /// Runs `body` on one of the threads.
    ///
    /// Not after `shutdown`. A cancelled task waits for its work all the same.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            add { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// Runs `body` on one of the threads, without waiting for it.
    package func add(_ body: @escaping @Sendable () -> Void) {
        state.updateForOne { state in
            precondition(!state.isStopped, "work for a pool that was shut down")
            state.waiting.append(body)
        }
    }

    /// Runs what was brought, then ends the threads and waits for them.
    ///
    /// Not from one of them.
    package func shutdown() {
        for thread in stop() { thread.join() }
    }

    deinit {
        // Who lets the pool go may be one of its threads, and cannot wait for itself: they end by themselves.
        for thread in stop() { thread.detach() }
    }

    /// The threads that end now and are not waited for yet.
    private func stop() -> [NamedThread] {
        state.update { state in
            state.isStopped = true
            defer { state.threads = [] }
            return state.threads
        }
    }

    private static func run(_ state: Monitor<State>) {
        while let work = state.wait(take) { work() }
    }

    /// Nil: keep waiting.
    ///
    /// Some nil: stopped, and nothing is left.
    private static func take(_ state: inout State) -> (@Sendable () -> Void)?? {
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        return state.isStopped ? .some(nil) : nil
    }
}
