/// The watcher's intervals, as values so that tests need not wait.
package struct WatchTimes: Sendable {
    /// How long a MOVED_FROM waits for its MOVED_TO (R25).
    package var moveWindow: Duration = .milliseconds(500)
    /// How often the watcher proves that it still hears (R27).
    package var cookieInterval: Duration = .seconds(60)
    /// How long that proof may take.
    package var cookieTimeout: Duration = .seconds(10)
    /// From an overflow to the mending of the watches; doubled while overflows go on (R23).
    package var firstRewatch: Duration = .seconds(1)
    package var longestRewatch: Duration = .seconds(60)

    package init() {}
}

/// When to mend the watches after overflows: 1, 2, 4 … 60 s, and from the start again after a quiet minute (R23).
package struct RewatchSchedule: Sendable {
    package private(set) var due: Duration?
    private let first: Duration
    private let longest: Duration
    private var delay: Duration
    private var last: Duration?

    package init(_ times: WatchTimes) {
        first = times.firstRewatch
        longest = times.longestRewatch
        delay = first
    }

    /// Notes an overflow.
    ///
    /// One that is due already covers it.
    package mutating func overflowed(at now: Duration) {
        guard due == nil else { return }
        let isQuiet = last.map { now - $0 >= longest } ?? true
        delay = isQuiet ? first : min(delay * 2, longest)
        due = now + delay
    }

    /// Whether it is time; true once.
    package mutating func take(at now: Duration) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        last = now
        return true
    }
}
