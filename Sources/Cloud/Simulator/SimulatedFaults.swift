/// How the simulated store misbehaves: everything that a real one has been seen to do.
///
/// Rates are from 0 to 1, of requests or of puts. All zero is a store that works.
package struct SimulatedFaults: Hashable, Sendable {
    /// Nothing can be reached.
    package var isOffline = false
    /// How long each request takes before it does anything.
    package var latency = Duration.zero
    /// Bytes go no faster, up or down; nil is as fast as the disk.
    ///
    /// A few bytes a second are the slow bytes of a bad line.
    package var bytesPerSecond: Int64?
    /// Of requests that fail: half of the puts that do so have stored the object all the same.
    package var errorRate = 0.0
    /// Of requests that are answered with "later".
    package var throttleRate = 0.0
    /// Of downloads that break off half-way.
    package var breakRate = 0.0
    /// Of puts that are acknowledged, and nothing is stored.
    package var lieRate = 0.0
    /// Of puts that are acknowledged, and half of the bytes are stored.
    package var truncateRate = 0.0
    /// Of puts that are acknowledged, and one byte is another.
    package var corruptRate = 0.0
    /// Out of reach for the second of these durations, each time the sum of both has passed; nil is never.
    package var outage: Outage?
    /// A put that would store more than this in all is refused; nil is no limit.
    package var quotaBytes: Int64?
    /// Lists do not show what was put in the last so long.
    package var listDelay = Duration.zero
    /// Whether a put keeps the versions from before.
    package var keepsVersions = true

    package init() {}

    package struct Outage: Hashable, Sendable {
        package var up: Duration
        package var down: Duration

        package init(up: Duration, down: Duration) { (self.up, self.down) = (up, down) }

        /// Whether the store is out of reach so long after its start; it begins in reach.
        func isDown(at time: Duration) -> Bool {
            let cycle = (up + down).inMicroseconds
            guard cycle > 0 else { return false }
            return time.inMicroseconds % cycle >= up.inMicroseconds
        }
    }
}

extension Duration {
    var inMicroseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
