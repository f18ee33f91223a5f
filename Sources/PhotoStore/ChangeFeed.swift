import Synchronization

/// Tells that the library changed: the only notification there is.
///
/// A listener learns the newest token and reads the history from the one it has.
package final class ChangeFeed: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Int64>.Continuation] = [:]
        var nextListener = 0
        var newest: Int64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The newest committed token.
    package var newest: Int64 { state.withLock { $0.newest } }

    /// Tokens as they are committed, the newest at once; a slow listener misses all but the last.
    package func tokens() -> AsyncStream<Int64> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            continuation.yield(state.newest)
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    func publish(_ token: Int64) {
        let listeners = state.withLock { state in
            state.newest = max(state.newest, token)
            return Array(state.listeners.values)
        }
        for listener in listeners {
            listener.yield(token)
        }
    }
}
