package import FoundationEssentials

/// Recently Deleted: since when, why, and what its time there is measured by (RULES R35).
package struct Trashing: Hashable, Sendable {
    package var date: Date
    package var reason: TrashReason
    /// The folder whose source was deleted; nil where a person deleted the asset itself.
    package var folder: UUID?
    /// How long albumd had been running in all when it came there, in seconds.
    package var runningSeconds: Int64

    /// How long an asset stays there, by the wall clock.
    package static let retention = 30 * 86_400.0

    package init(date: Date, reason: TrashReason, folder: UUID?, runningSeconds: Int64) {
        self.date = date
        self.reason = reason
        self.folder = folder
        self.runningSeconds = runningSeconds
    }
}

/// Why an asset is in Recently Deleted.
package enum TrashReason: String, Codable, Sendable, CaseIterable {
    /// A person deleted it: its sources are tombstones, and do not bring it back (RULES R36).
    case person
    /// Its last source was deleted in a folder that mirrors deletions.
    case sourceDeleted
    /// The same, of so many at once that a person had to confirm it (RULES R34).
    case sourceDeletionConfirmed
    /// A person undid the change that it came with: as `person`, but its sources are never removed for it.
    case undone

    /// Whether the file's return takes the deletion back.
    package var followsSource: Bool { self != .person && self != .undone }
}

/// Moves assets to Recently Deleted; their albums are remembered.
package struct AssetTrashing: Hashable, Sendable, Codable {
    package var assets: [LocalIdentifier]
    package var reason: TrashReason
    package var folder: UUID?
    package var runningSeconds: Int64

    package init(assets: [LocalIdentifier], reason: TrashReason, folder: UUID? = nil, runningSeconds: Int64) {
        self.assets = assets
        self.reason = reason
        self.folder = folder
        self.runningSeconds = runningSeconds
    }
}

/// Takes assets back out of Recently Deleted, into the albums that they were in.
package struct AssetRestoring: Hashable, Sendable, Codable {
    package var assets: [LocalIdentifier]

    package init(assets: [LocalIdentifier]) { self.assets = assets }
}

/// Deletes an asset for good; this line of the history is also the log of it (RULES R37).
package struct AssetPurge: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    /// Every content that the asset had; those that no other asset has lose their bytes.
    package var contents: [ContentHash]
    package var originalFilenames: [PathBytes]
    package var reason: PurgeReason

    package init(
        localIdentifier: LocalIdentifier, contents: [ContentHash], originalFilenames: [PathBytes], reason: PurgeReason
    ) {
        self.localIdentifier = localIdentifier
        self.contents = contents
        self.originalFilenames = originalFilenames
        self.reason = reason
    }
}

package enum PurgeReason: String, Codable, Sendable, CaseIterable {
    /// Its time in Recently Deleted was over.
    case expired
    /// A person emptied Recently Deleted.
    case person
}

/// How it was seen that a source is not at its path any more (RULES R35): enough to act on.
package struct Departure: Hashable, Sendable, Codable {
    package enum Evidence: String, Codable, Sendable, CaseIterable {
        /// An event, and a look.
        case unlinkSeen
        /// Two full scans, a minute apart at least.
        case missingOnScan
    }

    package var date: Date
    package var evidence: Evidence

    package init(date: Date, evidence: Evidence) {
        self.date = date
        self.evidence = evidence
    }
}
