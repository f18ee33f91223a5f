import Glibc
import Synchronization

/// What a handler saw, for the test to look at.
final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Mutex<[Value]>([])

    func add(_ value: Value) { recorded.withLock { $0.append(value) } }

    var values: [Value] { recorded.withLock { $0 } }
}

/// Something that happens once, and can be waited for.
final class Fact: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func happen() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiters.append(continuation) }
                return state.hasHappened
            }
            if hasHappened { continuation.resume() }
        }
    }
}

enum ProcessIdentity {
    static var uid: UInt32 { geteuid() }
}
