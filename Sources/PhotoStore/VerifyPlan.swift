package import PhotoModel

/// What of the library is due to be read again in the background: a few per cent of its bytes a day, so that every
/// original is read about once a month and rot is found while another copy may still be somewhere.
///
/// A value without clocks: time comes in as uptime.
package struct VerifyPlan: Sendable, Equatable {
    /// The part of all bytes that is read in a day.
    package static let dailyFraction = 0.03
    /// From one slice to the next.
    package static let interval = Duration.seconds(600)
    /// Never faster than this within a slice: a disk of today does not feel it.
    package static let bytesPerSecond: Int64 = 8_000_000

    /// The last original that was read; nil at the beginning.
    package private(set) var cursor: ContentHash?
    /// Bytes that may be read now.
    package private(set) var budget: Double = 0
    private var last: Duration

    package init(cursor: ContentHash?, now: Duration) {
        self.cursor = cursor
        last = now
    }

    /// Time has passed: its share of the bytes falls due, a day's at most, however long the machine slept.
    package mutating func advance(to now: Duration, totalBytes: Int64) {
        let daily = Double(totalBytes) * VerifyPlan.dailyFraction
        budget = min(daily, budget + daily * ((now - last) / .seconds(86_400)))
        last = now
    }

    /// Whether this original, the next one, is due: a large one waits until there is enough for it, or for a day's all.
    package func isDue(_ content: Content, totalBytes: Int64) -> Bool {
        let daily = Double(totalBytes) * VerifyPlan.dailyFraction
        return budget > 0 && budget >= min(Double(content.byteCount), daily)
    }

    package mutating func didRead(_ content: Content) {
        budget -= Double(content.byteCount)
        cursor = content.hash
    }

    /// Past the last original it begins anew.
    package mutating func begin() { cursor = nil }
}

/// Bytes a second, kept by waiting: a value that says how long.
package struct Pacer: Sendable, Equatable {
    /// Nil is as fast as it goes.
    package let bytesPerSecond: Int64?
    private var free: Duration

    package init(bytesPerSecond: Int64?, now: Duration) {
        self.bytesPerSecond = bytesPerSecond
        free = now
    }

    /// Books so many bytes, and says how long to wait before they are read.
    package mutating func wait(for byteCount: Int, now: Duration) -> Duration {
        guard let bytesPerSecond, bytesPerSecond > 0 else { return .zero }
        let start = max(free, now)
        free = start + .seconds(Double(byteCount) / Double(bytesPerSecond))
        return start - now
    }
}
