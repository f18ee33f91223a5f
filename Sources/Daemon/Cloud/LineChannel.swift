import Platform

/// Lines from a thread that works to a client that reads: the thread waits where the client is slow, and learns when it has
/// gone.
final class LineChannel: Sendable {
    private struct State: Sendable {
        var unread = 0
        var hasGone = false
    }

    private static let mostUnread = 64

    private let state = Monitor(State())
    private let lines: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init() {
        (lines, continuation) = AsyncStream.makeStream()
        continuation.onTermination = { [state] _ in state.update { $0.hasGone = true } }
    }

    /// Blocks while the client is behind; false where nobody reads any more.
    @discardableResult
    func send(_ line: [UInt8]) -> Bool {
        let isRead = state.wait { state -> Bool? in
            if state.hasGone { return false }
            guard state.unread < Self.mostUnread else { return nil }
            state.unread += 1
            return true
        }
        if isRead { continuation.yield(line) }
        return isRead
    }

    var hasGone: Bool { state.update { $0.hasGone } }

    func finish() { continuation.finish() }

    /// For the response: what was sent, in order.
    var stream: AsyncStream<[UInt8]> {
        AsyncStream {
            for await line in self.lines {
                self.state.update { $0.unread -= 1 }
                return line
            }
            return nil
        } onCancel: {
            self.state.update { $0.hasGone = true }
        }
    }
}
