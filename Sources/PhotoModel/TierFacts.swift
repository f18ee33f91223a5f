/// One original, as the plan sees it: small, since a library has a million of them.
package struct TierFacts: Hashable, Sendable {
    package var hash: ContentHash
    package var byteCount: Int64
    package var residency: Residency
    /// Seconds since the epoch of when it came or was last asked for, whichever is later.
    package var lastUsed: Int64
    package var wants: Wants
    /// What was begun with it, and has not ended.
    package var transfer: Transfer?

    /// What holds for it beyond the limits; of several the first of these wins (N14).
    package enum Wants: UInt8, Comparable, Sendable {
        /// It cannot be moved now: in Recently Deleted, missing or corrupt.
        case nothing
        case pinned
        case keptByAlbum
        case inCloudByAlbum
        case whateverFits

        package static func < (left: Wants, right: Wants) -> Bool { left.rawValue < right.rawValue }
    }

    package init(
        hash: ContentHash, byteCount: Int64, residency: Residency, lastUsed: Int64, wants: Wants,
        transfer: Transfer? = nil
    ) {
        self.hash = hash
        self.byteCount = byteCount
        self.residency = residency
        self.lastUsed = lastUsed
        self.wants = wants
        self.transfer = transfer
    }
}
