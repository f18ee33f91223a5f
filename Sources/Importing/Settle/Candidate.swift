package import PhotoModel
package import Platform

/// Why the engine looks at a file.
package enum Sighting: String, Sendable {
    case created
    case closedAfterWrite
    case movedIn
    case attributes
    case modified
    case scan
    case retry
}

/// A file that may have to be imported, while it is not yet known to be at rest.
package struct Candidate: Sendable {
    package let key: SourceKey
    /// Arrival order over all candidates: what a flush waits for.
    package var order: Int
    /// Uptime of the first and of the newest sighting.
    package let firstSeen: Duration
    package var seen: Duration
    package var sighting: Sighting
    /// How often it was sighted.
    package var sightings = 1
    /// What it must stay like until `due`; nil until it was looked at.
    package var status: FileStatus?
    /// Uptime from which it must be the same.
    package var since: Duration
    package var window: Duration
    package var due: Duration
    /// Why it waits; while somebody only looks again, what made it wait before.
    package var reason = Reason.settling
    package var detail: String?
    /// Whether its outcome comes by itself after its window.
    package var isSettling = true
    /// It was written again after it had been closed: such writers need longer (RULES R16a).
    package var wasReopened = false
    package var wasClosed = false
    /// How often it was given back after it was at rest.
    package var attempts = 0
    /// Being imported now.
    package var isTaken = false

    /// What it waits for, for a person: the rest that is asked of it, and why that is longer than its folder's.
    package var explanation: String? {
        switch reason {
        case .settling where wasReopened:
            "it was written again after its writer had closed it, so it is taken after \(DurationText.write(window)) of rest"
        case .settling: "it is taken after \(DurationText.write(window)) of rest"
        case .incomplete, .empty:
            "\(detail ?? reason.rawValue); it is looked at again after \(DurationText.write(SettleTracker.longWindow)) of rest"
        default: detail
        }
    }
}
