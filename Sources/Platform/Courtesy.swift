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
    private static let readingTime = Duration.microseconds(500)
    private let state = Monitor(State())
    /// How many are being made: long work looks at it often, and mostly finds none.
    private let count = Atomic<Int>(0)
    private let begun = Atomic<UInt64>(0)
    /// Until when the last answer is given time to be read, in microseconds.
    private let readUntil = Atomic<Int64>(0)
    /// Whether somebody has come who was not seen yet.
    private let door = Mutex<@Sendable () -> Bool> { false }
    private let uptime: @Sendable () -> Duration
    private let longestPause: Duration

    /// Long work pauses for `longestPause` at most between two pieces.
    package init(
        longestPause: Duration = .milliseconds(5), uptime: @escaping @Sendable () -> Duration = Machine.bootTime
    ) {
        (self.longestPause, self.uptime) = (longestPause, uptime)
    }

    /// `isSomebodyThere` says, at once, whether somebody has come for whom nobody began yet: where processors are few, who
    /// lets him in waits as well until some turn is over.
    package func watch(_ isSomebodyThere: @escaping @Sendable () -> Bool) { door.withLock { $0 = isSomebodyThere } }

    /// Somebody waits for a short answer.
    package func begin() -> Ticket {
        let end = uptime() + Courtesy.patience
        return state.update { state in
            state.next += 1
            state.ends[state.next] = end
            count.store(state.ends.count, ordering: .relaxed)
            begun.store(state.next, ordering: .relaxed)
            return Ticket(number: state.next)
        }
    }

    /// It is sent: who asked takes it next, and his own program waits for a processor as well.
    package func end(_ ticket: Ticket) {
        readUntil.store((uptime() + Courtesy.readingTime).microseconds, ordering: .relaxed)
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

    /// Blocks while somebody waits for a short answer, or stands at the door, for the longest pause at most; and while the
    /// last answer is read.
    package func giveWay() {
        let newest = begun.load(ordering: .relaxed)
        let isSomebodyThere = door.withLock(\.self)()
        let now = uptime()
        guard isSomebodyThere || count.load(ordering: .relaxed) > 0 || timeToRead(at: now) > .zero else { return }
        _ = state.wait(for: longestPause) { state in
            isSomebodyThere && state.next == newest || state.isWaitedFor(at: now) ? nil : true
        }
        _ = state.wait(for: timeToRead(at: uptime())) { _ in Void?.none }
    }

    private func timeToRead(at now: Duration) -> Duration {
        max(.zero, .microseconds(readUntil.load(ordering: .relaxed)) - now)
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
