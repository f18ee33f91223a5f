import CMicroHTTPD
import Synchronization

/// A body that comes in pieces: a task pulls the stream, libmicrohttpd's thread sends, and each waits for the other.
///
/// The task asks for more while less than `Limits.queuedStreamBytes` wait to be sent. With nothing to send the
/// connection is suspended: returning 0 from the content callback would make libmicrohttpd ask again at once, for ever.
final class StreamBody: Sendable {
    /// MHD_CONTENT_READER_END_OF_STREAM and …_END_WITH_ERROR, casts that Swift does not import.
    private static let endOfStream = -1
    private static let endWithError = -2

    private struct State {
        var pending: [UInt8] = []
        var sentCount = 0
        var isEnded = false
        /// The client has gone, or the server stops: what is left is not sent.
        var isCut = false
        /// The connection is suspended until there are bytes.
        var isStarved = false
        var pump: Task<Void, Never>?
        /// The pump, waiting for room.
        var roomWaiter: CheckedContinuation<Void, Never>?

        var isFull: Bool { pending.count - sentCount >= Limits.queuedStreamBytes && !isCut }
    }
    private let connection: MHDConnection
    private let state = Mutex(State())

    init(of stream: AsyncStream<[UInt8]>, to connection: MHDConnection) {
        self.connection = connection
        let pump = Task { await self.pump(stream) }
        state.withLock { $0.pump = pump }
    }

    private func pump(_ stream: AsyncStream<[UInt8]>) async {
        for await chunk in stream {
            change { $0.pending += chunk }
            await waitForRoom()
            if state.withLock({ $0.isCut }) { break }
        }
        change { $0.isEnded = true }
    }

    private func waitForRoom() async {
        guard state.withLock({ $0.isFull }) else { return }
        await withCheckedContinuation { continuation in
            let isFull = state.withLock { state in
                if state.isFull { state.roomWaiter = continuation }
                return state.isFull
            }
            if !isFull { continuation.resume() }
        }
    }

    /// Changes the state and lets the connection look at it.
    private func change(_ change: (inout sending State) -> Void) {
        state.withLock { state in
            change(&state)
            guard state.isStarved else { return }
            state.isStarved = false
            connection.resume()
        }
    }

    /// The content callback: fills `buffer`; how many bytes, 0 once the connection is suspended, or one of the two ends.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, waiter) = state.withLock { state in
            (step(&state, buffer), state.isFull ? nil : state.roomWaiter.take())
        }
        waiter?.resume()
        return count
    }

    private func step(_ state: inout sending State, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !state.isCut else { return Self.endWithError }
        let count = min(buffer.count, state.pending.count - state.sentCount)
        guard count > 0 else {
            guard !state.isEnded else { return Self.endOfStream }
            state.isStarved = true
            connection.suspend()
            return 0
        }
        buffer.copyBytes(from: state.pending[state.sentCount..<state.sentCount + count])
        state.sentCount += count
        if state.sentCount == state.pending.count {
            state.pending.removeAll(keepingCapacity: true)
            state.sentCount = 0
        }
        return count
    }

    /// Asks the stream to end; what it gave already is still sent.
    func endEarly() { state.withLock { $0.pump }?.cancel() }

    /// Ends the stream and the body now: the client has gone, or will not be waited for.
    func cut() {
        change { $0.isCut = true }
        let (pump, waiter) = state.withLock { ($0.pump.take(), $0.roomWaiter.take()) }
        pump?.cancel()
        waiter?.resume()
    }
}
