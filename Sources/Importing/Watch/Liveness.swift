/// Whether the watcher still hears: it drops a cookie now and then and must see it in time (R27).
///
/// A process can be alive while its watcher is dead, and then everything looks merely quiet.
package struct Liveness: Sendable {
    private let interval: Duration
    private let timeout: Duration
    private var next: Duration
    private var awaited: (name: [UInt8], deadline: Duration)?
    private var serial = 0
    /// When a proof was last seen, in uptime.
    package private(set) var lastSeen: Duration?

    package init(_ times: WatchTimes, at now: Duration) {
        interval = times.cookieInterval
        timeout = times.cookieTimeout
        next = now
    }

    /// The name of the cookie to drop now, if it is time.
    package mutating func due(at now: Duration) -> [UInt8]? {
        guard awaited == nil, next <= now else { return nil }
        serial += 1
        next = now + interval
        let name = WatchDecoder.proofPrefix + Array(String(serial).utf8)
        awaited = (name, now + timeout)
        return name
    }

    package mutating func saw(_ name: [UInt8], at now: Duration) {
        guard awaited?.name == name else { return }
        heard(at: now)
    }

    /// Any sign of life will do: an overflow can have swallowed the cookie.
    package mutating func heard(at now: Duration) {
        awaited = nil
        lastSeen = now
    }

    /// Forgets what is awaited; the next proof is due after an interval.
    package mutating func postpone(at now: Duration) {
        awaited = nil
        next = now + interval
    }

    /// Ask when the queue was empty after `now` was read, so that a slow reader is not taken for a dead one.
    package func isDead(at now: Duration) -> Bool { awaited.map { $0.deadline <= now } ?? false }
    package var nextDeadline: Duration { awaited?.deadline ?? next }
}
