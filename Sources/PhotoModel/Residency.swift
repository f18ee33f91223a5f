package import FoundationEssentials

/// Where an original is (RULES R39).
package enum Residency: String, Codable, Sendable, CaseIterable {
    /// Here alone.
    case local
    /// Here, and proven in the cloud.
    case both
    /// In the cloud alone.
    case inCloud

    /// Of several the one that is farthest away; `local` of none.
    package static func farthest(_ residencies: [Residency]) -> Residency {
        if residencies.contains(.inCloud) { return .inCloud }
        return residencies.contains(.local) || residencies.isEmpty ? .local : .both
    }

    /// Whether it may change to `other` in one step: bytes are in the cloud before they leave the disk.
    package func mayBecome(_ other: Residency) -> Bool {
        switch (self, other) {
        case (.local, .both), (.both, .local), (.both, .inCloud), (.inCloud, .both): true
        default: false
        }
    }
}

/// What the library keeps of the proof that an object has an original's bytes (RULES R40).
///
/// Only a verification makes one that is new: see `VerifiedCloudCopy`.
package struct CloudCopy: Hashable, Sendable, Codable {
    /// The object's name in the store.
    package var key: String
    /// The version that was proven, where the store keeps versions.
    package var versionID: String?
    package var uploadedDate: Date
    package var verifiedDate: Date

    package init(key: String, versionID: String?, uploadedDate: Date, verifiedDate: Date) {
        self.key = key
        self.versionID = versionID
        self.uploadedDate = uploadedDate
        self.verifiedDate = verifiedDate
    }
}

/// The bytes of a content are elsewhere now; or, with the same residency, they were proven anew.
package struct ResidencyChange: Hashable, Sendable, Codable {
    package var hash: ContentHash
    package var residency: Residency
    /// Nil if, and only if, they are here alone.
    package var copy: CloudCopy?

    package init(hash: ContentHash, residency: Residency, copy: CloudCopy?) {
        self.hash = hash
        self.residency = residency
        self.copy = copy
    }
}

/// What is being done with an original between the disk and the cloud (RULES R39).
package enum Transfer: String, Codable, Sendable, CaseIterable {
    case uploading
    case verifying
    case evicting
    case downloading
}

/// Who wants a transfer.
package enum TransferReason: String, Codable, Sendable, CaseIterable {
    /// The configured rules.
    case policy
    case person
}

/// A transfer begins, comes to its next step, or, with nil, has ended.
package struct TransferChange: Hashable, Sendable, Codable {
    package var hash: ContentHash
    package var transfer: Transfer?
    package var requestedBy: TransferReason

    package init(hash: ContentHash, transfer: Transfer?, requestedBy: TransferReason) {
        self.hash = hash
        self.transfer = transfer
        self.requestedBy = requestedBy
    }
}

/// A person wants an asset's originals on the disk, for ever or until a date; or no longer.
package struct PinChange: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var isPinned: Bool
    /// Nil is for ever.
    package var until: Date?

    package init(localIdentifier: LocalIdentifier, isPinned: Bool, until: Date? = nil) {
        self.localIdentifier = localIdentifier
        self.isPinned = isPinned
        self.until = until
    }
}

/// Where an album wants its originals.
package enum AlbumTier: String, Codable, Sendable, CaseIterable {
    /// On the disk, whatever else applies.
    case keepLocal
    /// In the cloud, as soon as they are proven there.
    case inCloud
}

/// An album's rule, or, with nil, none.
package struct AlbumTierChange: Hashable, Sendable, Codable {
    package var album: LocalIdentifier
    package var tier: AlbumTier?

    package init(album: LocalIdentifier, tier: AlbumTier?) {
        self.album = album
        self.tier = tier
    }
}
