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
    /// How many originals, and bytes of them, are where.
    package var residencies: [String: CountAndBytes]
    /// Transfers that were begun, by step.
    package var transfers: [String: Int]
    package var lostCount: Int
    /// Originals that the store denied once.
    package var doubtCount: Int
    /// Objects of purged photos that are still in the store.
    package var purgedObjectCount: Int
    /// The newest change whose history is in the store; nil until the store was asked.
    package var mirroredToken: Int64?
    package var lastRound: Date?
    /// Why nothing moves, if something should.
    package var failure: String?
    /// Originals that could not be moved by the last round, and why.
    package var failures: [CloudFailure]
    /// How the simulated store misbehaves now.
    package var simulation: Simulation?

    package init(engine: String) {
        self.engine = engine
        (isOnLibraryDisk, residencies, transfers) = (false, [:], [:])
        (lostCount, doubtCount, purgedObjectCount) = (0, 0, 0)
        failures = []
    }
}

/// What status says of the cloud; `GET /v1/cloud` says all.
package struct CloudStatus: Codable, Sendable, Equatable {
    /// `simulated`, `none`.
    package var engine: String
    /// How many originals, and bytes of them, are where.
    package var residencies: [String: CountAndBytes]
    /// Transfers that were begun, by step.
    package var transfers: [String: Int]
    /// Originals that neither the disk nor the cloud has.
    package var lostCount: Int
    /// Originals that the store denied once.
    package var doubtCount: Int
    /// Why nothing moves, if something should.
    package var failure: String?

    package init(_ report: CloudReport) {
        (engine, residencies, transfers) = (report.engine, report.residencies, report.transfers)
        (lostCount, doubtCount, failure) = (report.lostCount, report.doubtCount, report.failure)
    }
}

package struct CountAndBytes: Codable, Sendable, Equatable {
    package var count: Int
    package var byteCount: Int64

    package init(count: Int, byteCount: Int64) { (self.count, self.byteCount) = (count, byteCount) }
}

package struct CloudFailure: Codable, Sendable, Equatable {
    package var sha256: ContentHash
    package var detail: String

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

    package init(_ asset: Asset, isPinned: Bool, until: Date?) {
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
                TierVersion(version, versionName(place, of: resource.versions.count))
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

    init(_ version: Version, _ name: String?) {
        (self.version, sha256, byteCount) = (name, version.content.hash, version.content.byteCount)
        residency = version.residency
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

/// The body of what moves, proves or tries originals: of assets, or of all.
package struct CloudRequest: Codable, Sendable, Equatable {
    package var subjects: [SubjectRequest]?
    package var all: Bool?
    package var isDryRun: Bool?
    /// So many originals, chosen by chance; for a drill.
    package var sample: Int?
    /// Of the subjects, only the originals with these bytes: an edited photo has more than one.
    package var sha256: [ContentHash]?

    package init(
        subjects: [SubjectRequest]? = nil, all: Bool? = nil, isDryRun: Bool? = nil, sample: Int? = nil,
        sha256: [ContentHash]? = nil
    ) {
        (self.subjects, self.all, self.isDryRun, self.sample) = (subjects, all, isDryRun, sample)
        self.sha256 = sha256
    }
}

/// A line of a move: how far an original is, or what came of it.
package struct CloudRow: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case evicted
        case fetched
        case proven
        /// A drill brought its bytes, and they are right.
        case restored
        /// It was so already.
        case unchanged
        case wouldEvict
        case wouldFetch
        case wouldRestore
        case absent
        case different
        case uploadedAgain
        /// A snapshot in the store that rotted, and that the library has no more.
        case deleted
        case lost
        case refused
        case failed
    }

    package var localIdentifier: LocalIdentifier?
    /// Absent while it is on its way.
    package var outcome: Outcome?
    /// Absent only where the history could not be read.
    package var sha256: ContentHash?
    /// Of a part of the library's history its key in the store; such a row is no original, and is not in the counts.
    package var object: String?
    /// Of an edited photo which of its versions this is: `original`, `current`, or its place among them.
    package var version: String?
    package var originalFilename: String?
    package var originalFilenameBase64: String?
    package var byteCount: Int64
    /// Of these, so many have come.
    package var receivedByteCount: Int64?
    /// A word for programs: why it was refused, or which kind of failure.
    package var reason: String?
    package var detail: String?
    package var fix: String?

    package init(sha256: ContentHash?, byteCount: Int64) { (self.sha256, self.byteCount) = (sha256, byteCount) }
}

/// A line of `POST /v1/cloud/evict`, `fetch`, `verify` and `drill`; the end counts the originals by outcome.
package typealias CloudLine = StreamLine<CloudRow, [String: Int]>

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

/// What a change of pins or rules came to.
package struct TokenResult: Codable, Sendable, Equatable {
    /// Absent where nothing had to be changed.
    package var token: Int64?

    package init(token: Int64?) { self.token = token }
}
