package import FoundationEssentials
package import PhotoModel

/// The body of requests that delete, restore or purge: assets by identifier, or by what is mapped to them.
///
/// Several at once are one change, or none.
package struct AssetsRequest: Codable, Sendable, Equatable {
    package var subjects: [SubjectRequest]?
    /// Everything in Recently Deleted, instead of `subjects`; not for deleting.
    package var all: Bool?
    /// Answers what would be done, and does nothing.
    package var isDryRun: Bool?

    package init(subjects: [SubjectRequest]?, all: Bool? = nil, isDryRun: Bool? = nil) {
        self.subjects = subjects
        self.all = all
        self.isDryRun = isDryRun
    }
}

/// The body of `POST /v1/trash/confirm`.
package struct ConfirmRequest: Codable, Sendable, Equatable {
    package var token: String
    package var isDryRun: Bool?

    package init(token: String, isDryRun: Bool? = nil) {
        self.token = token
        self.isDryRun = isDryRun
    }
}

/// Since when and why an asset is in Recently Deleted, in JSON.
package struct TrashingRow: Codable, Sendable, Equatable {
    package var date: Date
    package var reason: TrashReason
    /// The folder whose file was deleted.
    package var folder: UUID?
    /// From then on it may vanish for ever.
    package var expiryDate: Date

    package init(_ trashing: Trashing) {
        date = trashing.date
        reason = trashing.reason
        folder = trashing.folder
        expiryDate = trashing.date.addingTimeInterval(Trashing.retention)
    }
}

/// An asset that was, or is to be, moved into Recently Deleted or out of it.
package struct TrashRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier
    package var state: AssetState
    package var originalFilename: String
    package var originalFilenameBase64: String?
    package var byteCount: Int64
    package var trashedDate: Date?
    package var reason: TrashReason?
    /// The folder whose file was deleted, or that the asset came from.
    package var folder: String?
    /// Whole days, begun ones counted, until it vanishes for ever.
    package var daysLeft: Int?

    package init(_ asset: Asset, folder: PathBytes?, daysLeft: Int?) {
        localIdentifier = asset.localIdentifier
        state = asset.state
        let name = Name(asset.resources.first?.originalFilename ?? PathBytes([]))
        originalFilename = name.text
        originalFilenameBase64 = name.base64
        byteCount = asset.resources.flatMap(\.versions).reduce(0) { $0 + $1.content.byteCount }
        trashedDate = asset.trashing?.date
        reason = asset.trashing?.reason
        self.folder = folder.map { Name($0).text }
        self.daysLeft = daysLeft
    }
}

/// What a deletion, a restoring or a purge came to.
package struct TrashResult: Codable, Sendable, Equatable {
    /// The newest change's token; absent where nothing had to be changed.
    package var token: Int64?
    /// Each asset as it is now.
    package var rows: [TrashRow]
    /// What a purge frees on the library's disk: bytes that no other asset has.
    package var freedByteCount: Int64?
    /// Bytes that could not be removed, beside those freed; that is tried again, and status says why.
    package var stuckByteCount: Int64?
    /// Of their copies in the cloud, which go when the configuration says so.
    package var cloudByteCount: Int64?

    package init(
        token: Int64?, rows: [TrashRow], freedByteCount: Int64? = nil, stuckByteCount: Int64? = nil,
        cloudByteCount: Int64? = nil
    ) {
        self.token = token
        self.rows = rows
        self.freedByteCount = freedByteCount
        self.stuckByteCount = stuckByteCount
        self.cloudByteCount = cloudByteCount
    }
}

/// Deletions that wait for `albumctl confirm`.
package struct HeldRow: Codable, Sendable, Equatable {
    package var token: String
    package var folder: String
    package var since: Date
    package var count: Int
    /// Absolute; the first few, or in a confirmation all.
    package var paths: [String]

    package init(token: String, folder: String, since: Date, count: Int, paths: [String]) {
        self.token = token
        self.folder = folder
        self.since = since
        self.count = count
        self.paths = paths
    }
}

/// What a confirmation came to.
package struct ConfirmResult: Codable, Sendable, Equatable {
    /// Assets that are in Recently Deleted now; 0 in a dry run.
    package var trashedCount: Int
    package var held: HeldRow

    package init(trashedCount: Int, held: HeldRow) {
        self.trashedCount = trashedCount
        self.held = held
    }
}

/// What status says of deletion.
package struct DeletionStatus: Codable, Sendable, Equatable {
    package var trashedCount: Int
    package var purgedCount: Int
    /// When the next assets vanish for ever, and how many on that day; absent where nothing is in Recently Deleted.
    package var expiryDate: Date?
    package var expiryCount: Int?
    /// Whether nothing expires now: for a day of running after the clock jumped, for an hour after albumd was long off.
    package var isClockFrozen: Bool
    package var needsConfirmation: [HeldRow]

    package init(
        trashedCount: Int = 0, purgedCount: Int = 0, expiryDate: Date? = nil, expiryCount: Int? = nil,
        isClockFrozen: Bool = false, needsConfirmation: [HeldRow] = []
    ) {
        self.trashedCount = trashedCount
        self.purgedCount = purgedCount
        self.expiryDate = expiryDate
        self.expiryCount = expiryCount
        self.isClockFrozen = isClockFrozen
        self.needsConfirmation = needsConfirmation
    }
}
