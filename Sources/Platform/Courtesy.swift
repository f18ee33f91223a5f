import Synchronization

/// Lets short answers go before long work: where processors are few, an answer would else wait at each of its steps until
/// some hashing thread's turn is over.
///
/// Who answers takes a `Ticket` and lets it go; long work calls `giveWay` between two pieces. It goes on after a few
/// milliseconds however many ask, and an answer that takes long has no more than `patience` of it.
package final class Courtesy: Sendable {
    /// One answer that is being made.
    package struct Ticket: Sendable {
        fileprivate let number: UInt64
    }

    private struct State: Sendable {
        var next: UInt64 = 0
        /// Until when long work gives way to each answer that is being made.
        var ends: [UInt64: Duration] = [:]

        func isWaitedFor(at now: Duration) -> Bool { ends.values.contains { $0 > now } }
    }

    private static let patience = Duration.milliseconds(50)
    private static let longestPause = Duration.milliseconds(5)
    private let state = Monitor(State())
    /// How many are being made: long work looks at it often, and mostly finds none.
    private let count = Atomic<Int>(0)
    private let uptime: @Sendable () -> Duration

    package init(uptime: @escaping @Sendable () -> Duration = Machine.bootTime) { self.uptime = uptime }

    /// Somebody waits for a short answer.
    package func begin() -> Ticket {
        let end = uptime() + Courtesy.patience
        return state.update { state in
            state.next += 1
            state.ends[state.next] = end
            count.store(state.ends.count, ordering: .relaxed)
            return Ticket(number: state.next)
        }
    }

    /// It is made.
    package func end(_ ticket: Ticket) {
        state.update { state in
            state.ends[ticket.number] = nil
            count.store(state.ends.count, ordering: .relaxed)
        }
    }

    /// Whether an answer is being made that has had less than `patience`.
    package var isWaitedFor: Bool {
        let now = uptime()
        return state.update { $0.isWaitedFor(at: now) }
    }

    /// Blocks while somebody waits for a short answer, for five milliseconds at most.
    package func giveWay() {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let now = uptime()
        _ = state.wait(for: Courtesy.longestPause) { $0.isWaitedFor(at: now) ? nil : true }
    }
}
