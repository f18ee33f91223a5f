import Control
import Dispatch
import Synchronization

/// Carries an upload from libmicrohttpd's thread to its sink, whose writes block, in order.
///
/// At most `limit` bytes, and what one callback brings, wait. When that much waits the connection is suspended,
/// and `drained` is called when half of it has gone.
final class UploadPipe: Sendable {
    private struct State {
        var queuedCount = 0
        var isAwaited = false
        var isAborted = false
        var isRefused = false
    }
    private let sink: any UploadSink
    private let limit: Int
    private let drained: @Sendable () -> Void
    // The target bounds the threads: a serial queue of its own root gets a thread of its own each.
    private let queue = DispatchQueue(label: "albumd.upload", target: .global())
    private let state = Mutex(State())

    init(to sink: any UploadSink, limit: Int, drained: @escaping @Sendable () -> Void) {
        self.sink = sink
        self.limit = limit
        self.drained = drained
    }

    /// Whether more may be pushed; if not, `drained` will be called.
    func hasRoom() -> Bool {
        state.withLock { state in
            state.isAwaited = state.queuedCount >= limit
            return !state.isAwaited
        }
    }

    func push(_ bytes: [UInt8]) {
        state.withLock { $0.queuedCount += bytes.count }
        queue.async { self.write(bytes) }
    }

    private func write(_ bytes: [UInt8]) {
        let isWanted = state.withLock { !$0.isAborted && !$0.isRefused }
        let isRefused = isWanted && !sink.write(bytes)
        let mustTell = state.withLock { state in
            state.isRefused = state.isRefused || isRefused
            state.queuedCount -= bytes.count
            guard state.isAwaited, state.queuedCount <= limit / 2 else { return false }
            state.isAwaited = false
            return true
        }
        if mustTell { drained() }
    }

    /// Lets the sink answer when everything before is written.
    func finish(then answer: @escaping @Sendable (Response) -> Void) {
        queue.async {
            // Not a child of anything: the upload's thread cannot await, and the answer is waited for by the exchange.
            Task { answer(await self.sink.finish()) }
        }
    }

    func abort() {
        state.withLock { $0.isAborted = true }
        queue.async { self.sink.abort() }
    }
}
