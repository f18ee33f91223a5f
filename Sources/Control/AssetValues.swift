package import FoundationEssentials
package import PhotoModel

/// An asset in JSON.
///
/// Names are PhotoKit's.
package struct AssetRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier
    package var mediaType: MediaType
    package var creationDate: Date
    package var creationDateSource: CreationDateSource
    package var addedDate: Date
    package var modificationDate: Date
    package var originalFilename: String
    package var originalFilenameBase64: String?
    package var state: AssetState
    /// Whether the current original is only in the cloud.
    package var isInCloud: Bool
    /// Whether a person wants its originals on the disk, and until when; for ever where there is no date.
    package var isPinned: Bool
    package var pinnedUntil: Date?
    /// Only while it is in Recently Deleted.
    package var trashing: TrashingRow?
    package var resources: [ResourceRow]
    /// What its bytes say; of one asset alone, not in lists, and absent where nothing was read yet.
    package var facts: AssetFacts?
    /// Those that it is in by its facts.
    package var smartAlbums: [SmartAlbum]?
    /// Why its current bytes could not be read.
    package var unreadable: String?
    /// The pictures that were taken in one burst with it; of one asset alone.
    package var burst: BurstRow?

    package init(_ asset: Asset, isPinned: Bool, until: Date?) {
        localIdentifier = asset.localIdentifier
        mediaType = asset.mediaType
        creationDate = asset.creationDate
        creationDateSource = asset.creationDateSource
        addedDate = asset.addedDate
        modificationDate = asset.modificationDate
        let name = Name(asset.resources.first?.originalFilename ?? PathBytes([]))
        originalFilename = name.text
        originalFilenameBase64 = name.base64
        state = asset.state
        isInCloud = asset.resources.contains { $0.versions.last?.residency == .inCloud }
        (self.isPinned, pinnedUntil) = (isPinned, until)
        trashing = asset.trashing.map { TrashingRow($0) }
        resources = asset.resources.map(ResourceRow.init)
    }

    /// Adds where each of its files came from, and why it is here; `sources` are the asset's, `paths` where they are.
    package mutating func show(_ sources: [Source], paths: (SourceKey) -> PathBytes) {
        for index in resources.indices {
            let hashes = Set(resources[index].versions.map(\.sha256))
            let own = sources.filter { $0.evidence?.hash.map(hashes.contains) == true }
            resources[index].sources = own.map { ResourceSourceRow(paths($0.key), isGone: !$0.isPresent) }
            resources[index].pairing = own.first { $0.detail != nil && $0.outcome.isMapped }?.detail
        }
    }

    /// Adds of which originals the cloud denied the copy once.
    package mutating func doubt(_ hashes: Set<ContentHash>) {
        guard !hashes.isEmpty else { return }
        for resource in resources.indices {
            for version in resources[resource].versions.indices
            where hashes.contains(resources[resource].versions[version].sha256) {
                resources[resource].versions[version].isDoubted = true
            }
        }
    }

    /// Adds what is known by its bytes.
    package mutating func show(_ row: FactsRow) {
        (facts, unreadable) = (row.facts, row.unreadable)
        smartAlbums = row.facts.map { _ in row.smartAlbums }
    }
}

/// A resource in JSON, oldest version first: `original` is the first, `current` the last.
package struct ResourceRow: Codable, Sendable, Equatable {
    /// PHAssetResourceType's number.
    package var type: Int
    package var originalFilename: String
    package var originalFilenameBase64: String?
    package var versions: [VersionRow]
    /// The files that it came from, there or gone; of one asset alone.
    package var sources: [ResourceSourceRow]?
    /// Why it is of this asset, a sentence without its subject; absent for what the asset is shown by.
    package var pairing: String?

    init(_ resource: Resource) {
        type = resource.type.rawValue
        let name = Name(resource.originalFilename)
        originalFilename = name.text
        originalFilenameBase64 = name.base64
        versions = resource.versions.map(VersionRow.init)
    }
}

/// A file in a folder that has, or had, the bytes of a resource.
package struct ResourceSourceRow: Codable, Sendable, Equatable {
    package var path: String
    package var pathBase64: String?
    /// Whether it is known to be there no more.
    package var isGone: Bool

    package init(_ path: PathBytes, isGone: Bool) {
        let name = Name(path)
        self.path = name.text
        pathBase64 = name.base64
        self.isGone = isGone
    }
}

/// The live assets of one burst: a stack, for which one of them stands.
package struct BurstRow: Codable, Sendable, Equatable {
    package var count: Int
    /// The one that is named as the cover, else the one that was taken first.
    package var representative: LocalIdentifier

    package init(count: Int, representative: LocalIdentifier) {
        self.count = count
        self.representative = representative
    }
}

package struct VersionRow: Codable, Sendable, Equatable {
    package var sha256: ContentHash
    package var byteCount: Int64
    package var contentType: String
    package var fileExtension: String
    package var addedDate: Date
    package var residency: Residency
    package var condition: Condition
    /// What is being done with it between the disk and the cloud.
    package var transfer: Transfer?
    /// True where the cloud denied its copy once, and is asked again; else absent.
    package var isDoubted: Bool?

    /// Whether neither the disk nor the cloud has it.
    package var isLost: Bool { residency == .inCloud && condition == .missing }

    init(_ version: Version) {
        sha256 = version.content.hash
        byteCount = version.content.byteCount
        contentType = version.content.contentType
        fileExtension = version.content.fileExtension
        addedDate = version.addedDate
        residency = version.residency
        condition = version.condition
        transfer = version.transfer
    }
}

/// A page of a list.
///
/// `next` is the cursor for the page after it, absent at the end.
package struct PageOf<Row: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    package var rows: [Row]
    package var next: Int64?

    package init(rows: [Row], next: Int64?) {
        self.rows = rows
        self.next = next
    }
}

/// The body of `PUT /v1/uploads`' answer: bytes that wait to be saved.
///
/// They are dropped when they are not within ten minutes.
package struct UploadReceipt: Codable, Sendable, Equatable {
    package var upload: UUID
    package var sha256: ContentHash
    package var byteCount: Int64

    package init(upload: UUID, sha256: ContentHash, byteCount: Int64) {
        self.upload = upload
        self.sha256 = sha256
        self.byteCount = byteCount
    }
}

/// The body of `POST /v1/assets`.
package struct SaveRequest: Codable, Sendable, Equatable {
    package var upload: UUID
    package var filename: String?
    package var filenameBase64: String?
    /// An album's identifier, or a title that exactly one album has, or a new one's.
    ///
    /// None means the library alone.
    package var album: String?
    package var externalIdentifier: String?
    package var creationDate: Date?
    /// The caller's own words, given back in the answer.
    package var context: String?

    package init(upload: UUID) { self.upload = upload }
}

/// What a save came to.
///
/// It is told after the commit is durable and the stored original was read again.
package struct SaveResult: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier
    /// `imported`; or, with the identifier of the asset that has the bytes, `duplicate`, or `restored` where it was in
    /// Recently Deleted.
    package var outcome: Outcome
    package var reason: Reason
    package var sha256: ContentHash
    /// The asset's name: of a duplicate the one that it had, whatever the request says.
    package var originalFilename: String
    package var originalFilenameBase64: String?
    package var album: LocalIdentifier?
    package var externalIdentifier: String?
    /// The change's token; absent where nothing had to be changed.
    package var token: Int64?
    package var context: String?

    package init(
        localIdentifier: LocalIdentifier, outcome: Outcome, reason: Reason, sha256: ContentHash,
        originalFilename: PathBytes, album: LocalIdentifier?, externalIdentifier: String?, token: Int64?,
        context: String?
    ) {
        self.localIdentifier = localIdentifier
        self.outcome = outcome
        self.reason = reason
        self.sha256 = sha256
        let name = Name(originalFilename)
        self.originalFilename = name.text
        originalFilenameBase64 = name.base64
        self.album = album
        self.externalIdentifier = externalIdentifier
        self.token = token
        self.context = context
    }
}
