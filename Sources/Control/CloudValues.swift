package import FoundationEssentials
package import PhotoModel

/// `GET /v1/cloud`.
package struct CloudReport: Codable, Sendable, Equatable {
    /// `simulated`, `none`.
    package var engine: String
    /// Where the simulated store is.
    package var directory: String?
    /// Whether it is on the library's own disk: then nothing becomes free.
    package var isOnLibraryDisk: Bool
    /// How many originals, and bytes of them, are where: `local`, `both`, `inCloud`, and `missing` from the disk.
    package var residencies: [String: CountAndBytes]
    /// Transfers that were begun, by step.
    package var transfers: [String: Int]
    package var lostCount: Int
    /// Originals that the store denied once.
    package var doubtCount: Int
    /// When the first of these is asked for again.
    package var doubtDate: Date?
    /// Originals that a pin keeps on the disk now, and bytes of them.
    package var pinned: CountAndBytes
    /// Objects of purged photos that are still in the store.
    package var purgedObjectCount: Int
    /// Originals in the store that no photo here has, since what named them is lost; `cloud recover` makes photos of them.
    package var unclaimedCount: Int
    /// The albums that have a rule for where their originals are.
    package var rules: [AlbumRow]
    /// Whether the store answered that it is not this library's.
    package var isStoreOthers: Bool
    /// The newest change whose history is in the store; nil until the store is known.
    package var mirroredToken: Int64?
    /// The newest change of the library.
    package var newestToken: Int64?
    package var lastRound: Date?
    /// Why nothing moves, if something should.
    package var failure: String?
    /// What to do about that.
    package var failureFix: String?
    /// Originals that could not be moved by the last round, and why.
    package var failures: [CloudFailure]
    /// How the simulated store misbehaves now.
    package var simulation: Simulation?
    /// What became of the objects that a request to simulate named; only in its answer.
    package var spoiltObjects: SpoiltObjects?

    package init(engine: String) {
        self.engine = engine
        (isOnLibraryDisk, residencies, transfers) = (false, [:], [:])
        (lostCount, doubtCount, purgedObjectCount, unclaimedCount) = (0, 0, 0, 0)
        pinned = CountAndBytes(count: 0, byteCount: 0)
        (rules, isStoreOthers, failures) = ([], false, [])
    }
}

/// What status says of the cloud; `GET /v1/cloud` says all.
package struct CloudStatus: Codable, Sendable, Equatable {
    /// `simulated`, `none`.
    package var engine: String
    /// How many originals, and bytes of them, are where: `local`, `both`, `inCloud`, and `missing` from the disk.
    package var residencies: [String: CountAndBytes]
    /// Transfers that were begun, by step.
    package var transfers: [String: Int]
    /// Originals that neither the disk nor the cloud has.
    package var lostCount: Int
    /// Originals that the store denied once.
    package var doubtCount: Int
    /// Originals in the store that no photo here has, since what named them is lost.
    package var unclaimedCount: Int
    /// Why nothing moves, if something should.
    package var failure: String?

    package init(_ report: CloudReport) {
        (engine, residencies, transfers) = (report.engine, report.residencies, report.transfers)
        (lostCount, doubtCount, failure) = (report.lostCount, report.doubtCount, report.failure)
        unclaimedCount = report.unclaimedCount
    }
}

package struct CountAndBytes: Codable, Sendable, Equatable {
    package var count: Int
    package var byteCount: Int64

    package init(count: Int, byteCount: Int64) { (self.count, self.byteCount) = (count, byteCount) }
}

/// How many objects of the simulated store disappeared or got another bit by command, and how many were not there.
package struct SpoiltObjects: Codable, Sendable, Equatable {
    package var lostCount: Int
    package var corruptedCount: Int
    package var absentCount: Int

    package init(lostCount: Int, corruptedCount: Int, absentCount: Int) {
        (self.lostCount, self.corruptedCount, self.absentCount) = (lostCount, corruptedCount, absentCount)
    }
}

package struct CloudFailure: Codable, Sendable, Equatable {
    package var sha256: ContentHash
    package var detail: String
    /// Of the photo that has it.
    package var localIdentifier: LocalIdentifier?
    package var originalFilename: String?
    package var originalFilenameBase64: String?

    package init(sha256: ContentHash, detail: String) { (self.sha256, self.detail) = (sha256, detail) }
}

/// How the simulated store misbehaves; in a request, what is left out stays as it is.
package struct Simulation: Codable, Sendable, Equatable {
    package var isOffline: Bool?
    package var latencyMilliseconds: Int64?
    /// 0 is no limit.
    package var bytesPerSecond: Int64?
    /// 0 is no limit.
    package var quotaByteCount: Int64?
    package var errorRate: Double?
    package var throttleRate: Double?
    package var breakRate: Double?
    package var lieRate: Double?
    package var truncateRate: Double?
    package var corruptRate: Double?
    /// It can be reached for so long, and then not for so long, again and again; 0 is always.
    package var outageEveryMilliseconds: Int64?
    package var outageForMilliseconds: Int64?
    package var listDelayMilliseconds: Int64?
    /// Back to what the configuration says, before anything else of the request.
    package var reset: Bool?
    /// Assets whose objects disappear, or get another bit.
    package var lose: [LocalIdentifier]?
    package var corrupt: [LocalIdentifier]?

    package init() {}
}

/// What was begun, and what the configured rules would move, and why.
package struct CloudPlanReport: Codable, Sendable, Equatable {
    /// The first of each kind; what is uploaded to leave the disk is an upload, and an eviction, too.
    package var rows: [CloudMoveRow]
    /// All of them, those that are not listed, too.
    package var uploads: CountAndBytes
    package var evictions: CountAndBytes
    package var fetches: CountAndBytes
    /// Why none of it moves now.
    package var obstacle: StatusProblem?

    package init(rows: [CloudMoveRow], uploads: CountAndBytes, evictions: CountAndBytes, fetches: CountAndBytes) {
        (self.rows, self.uploads, self.evictions, self.fetches) = (rows, uploads, evictions, fetches)
    }
}

package struct CloudMoveRow: Codable, Sendable, Equatable {
    package enum Move: String, Codable, Sendable, CaseIterable {
        case upload
        case evict
        case fetch
    }

    /// An asset that has the original.
    package var localIdentifier: LocalIdentifier?
    package var move: Move
    /// `underWay`, `pinned`, `keptByAlbum`, `inCloudByAlbum`, `olderThan`, `keepLocal`, `freeDiskFloor`, `uploadsAll`.
    package var reason: String
    /// Of an eviction: when its upload is proven, and not before.
    package var isAfterUpload: Bool?
    /// Of an edited photo which of its versions this is: `original`, `current`, or its place among them.
    package var version: String?
    package var sha256: ContentHash
    package var byteCount: Int64
    package var originalFilename: String?
    package var originalFilenameBase64: String?

    package init(_ move: Move, reason: String, sha256: ContentHash, byteCount: Int64) {
        (self.move, self.reason, self.sha256, self.byteCount) = (move, reason, sha256, byteCount)
    }
}

/// Where an asset is, judged on every resource of it, without asking the store.
package struct TierRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier
    package var mediaType: MediaType
    package var originalFilename: String
    package var originalFilenameBase64: String?
    /// Of the asset's originals the one that is farthest away.
    package var residency: Residency
    package var isInCloud: Bool
    /// Whether neither the disk nor the cloud has one of them.
    package var isLost: Bool
    package var transfer: Transfer?
    package var isPinned: Bool
    package var pinnedUntil: Date?
    /// Each of its originals; an edited photo has more than one.
    package var versions: [TierVersion]

    /// `doubted` are those whose copies the cloud denied once.
    package init(_ asset: Asset, isPinned: Bool, until: Date?, doubted: Set<ContentHash>) {
        localIdentifier = asset.localIdentifier
        mediaType = asset.mediaType
        let name = Name(asset.resources.first?.originalFilename ?? PathBytes([]))
        (originalFilename, originalFilenameBase64) = (name.text, name.base64)
        let versions = asset.resources.flatMap(\.versions)
        residency = Residency.farthest(versions.map(\.residency))
        isInCloud = residency == .inCloud
        isLost = versions.contains(where: \.isLost)
        transfer = versions.compactMap(\.transfer).first
        (self.isPinned, pinnedUntil) = (isPinned, until)
        self.versions = asset.resources.flatMap { resource in
            resource.versions.enumerated().map { place, version in
                TierVersion(
                    version, versionName(place, of: resource.versions.count),
                    isDoubted: doubted.contains(version.content.hash))
            }
        }
    }
}

/// Where one original of an asset is.
package struct TierVersion: Codable, Sendable, Equatable {
    /// `original`, `current`, or its place among the versions; absent where it is the only one.
    package var version: String?
    package var sha256: ContentHash
    package var byteCount: Int64
    package var residency: Residency
    package var condition: Condition
    /// True where the cloud denied its copy once, and is asked again; else absent.
    package var isDoubted: Bool?

    init(_ version: Version, _ name: String?, isDoubted: Bool) {
        (self.version, sha256, byteCount) = (name, version.content.hash, version.content.byteCount)
        (residency, condition) = (version.residency, version.condition)
        self.isDoubted = isDoubted ? true : nil
    }
}

/// How one of several versions is called: the first is `original`, the last `current`, one between them has its number,
/// counted from 1; the only one has no name.
package func versionName(_ place: Int, of count: Int) -> String? {
    guard count > 1 else { return nil }
    return place == 0 ? "original" : place == count - 1 ? "current" : "\(place + 1)"
}

/// The body of `POST /v1/assets/tier`.
package struct TierRequest: Codable, Sendable, Equatable {
    package var localIdentifiers: [LocalIdentifier]

    package init(localIdentifiers: [LocalIdentifier]) { self.localIdentifiers = localIdentifiers }
}

/// The body of `POST /v1/cloud/pin`.
package struct PinRequest: Codable, Sendable, Equatable {
    package var subjects: [SubjectRequest]
    package var isPinned: Bool
    package var until: Date?

    package init(subjects: [SubjectRequest], isPinned: Bool, until: Date? = nil) {
        (self.subjects, self.isPinned, self.until) = (subjects, isPinned, until)
    }
}

/// The body of `POST /v1/cloud/rule`: where an album wants its originals; nothing is wherever they fit.
package struct AlbumTierRequest: Codable, Sendable, Equatable {
    /// An identifier, or a title that exactly one album has.
    package var album: String
    package var tier: AlbumTier?

    package init(album: String, tier: AlbumTier?) { (self.album, self.tier) = (album, tier) }
}

/// The body of `POST /v1/cloud/adopt`.
package struct AdoptionRequest: Codable, Sendable, Equatable {
    package var isDryRun: Bool?

    package init(isDryRun: Bool) { self.isDryRun = isDryRun }
}

/// What becomes of the originals, where a store that knows nothing of the library is taken for its own.
package struct AdoptionReport: Codable, Sendable, Equatable {
    package var directory: String
    package var isAdopted: Bool
    /// Originals that are here as well: they are uploaded again.
    package var copies: CountAndBytes
    /// Originals that the old store had alone: they are lost, unless this one has them.
    package var alone: CountAndBytes

    package init(directory: String, copies: CountAndBytes, alone: CountAndBytes) {
        (self.directory, isAdopted, self.copies, self.alone) = (directory, false, copies, alone)
    }
}

/// What a change of pins or rules came to.
package struct TokenResult: Codable, Sendable, Equatable {
    /// Absent where nothing had to be changed.
    package var token: Int64?

    package init(token: Int64?) { self.token = token }
}
