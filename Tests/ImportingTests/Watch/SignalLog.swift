import Importing
import Platform
import Synchronization

/// Collects signals, and lets a test wait for one.
///
/// A test's time limit cancels the wait.
final class SignalLog: Sendable {
    private struct Waiter {
        var id: Int
        var isWanted: @Sendable (WatchSignal) -> Bool
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Content {
        var signals: [WatchSignal] = []
        var waiters: [Waiter] = []
        var lastNumber = 0
    }

    private let content = Mutex(Content())
    private let isHeld = Monitor(false)

    /// A number that was not given before.
    func nextNumber() -> Int {
        content.withLock { content in
            content.lastNumber += 1
            return content.lastNumber
        }
    }

    var count: Int { content.withLock { $0.signals.count } }

    /// Gives what was collected and forgets it.
    func take() -> [WatchSignal] {
        content.withLock { content in
            defer { content.signals = [] }
            return content.signals
        }
    }

    /// Lets the watcher's thread wait in its sink until `release`.
    func hold() { isHeld.update { $0 = true } }
    func release() { isHeld.update { $0 = false } }

    func add(_ signals: [WatchSignal]) {
        isHeld.wait { isHeld in isHeld ? nil : () }
        let ready = content.withLock { content in
            content.signals += signals
            let ready = content.waiters.filter { signals.contains(where: $0.isWanted) }
            content.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Returns when a wanted signal is among those collected after the first `seen`.
    func wait(after seen: Int, for isWanted: @escaping @Sendable (WatchSignal) -> Bool) async throws {
        let id = nextNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isThere = content.withLock { content in
                    if content.signals.dropFirst(seen).contains(where: isWanted) { return true }
                    content.waiters.append(Waiter(id: id, isWanted: isWanted, continuation: continuation))
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let waiter = content.withLock { content in
            let index = content.waiters.firstIndex { $0.id == id }
            return index.map { content.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
