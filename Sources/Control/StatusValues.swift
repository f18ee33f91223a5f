package import FoundationEssentials
package import PhotoModel

/// `GET /v1/status`.
package struct StatusReport: Codable, Sendable, Equatable {
    /// One line: is everything safe, what waits, what failed, the next command.
    package var summary: String
    /// Whether anything needs a person, or keeps albumd from doing its work.
    package var isDegraded: Bool
    /// What is degraded and the act that mends it.
    package var problems: [StatusProblem]
    package var version: String
    package var library: String
    package var libraryIdentifier: UUID
    package var uptimeSeconds: Int
    package var assetCount: Int
    package var originalCount: Int
    package var originalByteCount: Int64
    package var orphanCount: Int
    package var token: Int64
    /// The newest token that is in the journal, too.
    package var journaledToken: Int64
    /// When the newest daily snapshot of the catalogue was made; absent where there is none yet.
    package var snapshotDate: Date?
    /// Said until the next start, where the catalogue was gone or damaged and was rebuilt.
    package var rebuilt: String?
    /// Candidates by reason.
    package var waiting: [String: Int]
    /// Sources by outcome.
    package var sources: [String: Int]
    package var isScanning: Bool
    package var watches: Int
    package var overflows: Int
    package var watcherRestarts: Int
    package var deletion: DeletionStatus
    package var cloud: CloudStatus
    package var facts: FactsStatus
    package var folders: [FolderRow]

    package init(
        summary: String, isDegraded: Bool, problems: [StatusProblem], version: String, library: String,
        libraryIdentifier: UUID, uptimeSeconds: Int, assetCount: Int, originalCount: Int, originalByteCount: Int64,
        orphanCount: Int, token: Int64, journaledToken: Int64, waiting: [String: Int], sources: [String: Int],
        isScanning: Bool, watches: Int, overflows: Int, watcherRestarts: Int, deletion: DeletionStatus,
        cloud: CloudStatus, folders: [FolderRow], snapshotDate: Date? = nil, rebuilt: String? = nil,
        facts: FactsStatus = FactsStatus()
    ) {
        self.summary = summary
        self.isDegraded = isDegraded
        self.problems = problems
        self.version = version
        self.library = library
        self.libraryIdentifier = libraryIdentifier
        self.uptimeSeconds = uptimeSeconds
        self.assetCount = assetCount
        self.originalCount = originalCount
        self.originalByteCount = originalByteCount
        self.orphanCount = orphanCount
        self.token = token
        self.journaledToken = journaledToken
        self.snapshotDate = snapshotDate
        self.rebuilt = rebuilt
        self.waiting = waiting
        self.sources = sources
        self.isScanning = isScanning
        self.watches = watches
        self.overflows = overflows
        self.watcherRestarts = watcherRestarts
        self.deletion = deletion
        self.cloud = cloud
        self.facts = facts
        self.folders = folders
    }
}

package struct StatusProblem: Codable, Sendable, Equatable {
    package var what: String
    package var fix: String
    /// A word for programs, where there is one: `needsConfirmation`.
    package var kind: String?

    package init(what: String, fix: String, kind: String? = nil) {
        self.what = what
        self.fix = fix
        self.kind = kind
    }
}

/// A folder in JSON.
package struct FolderRow: Codable, Sendable, Equatable {
    package var folder: UUID?
    package var path: String
    package var pathBase64: String?
    package var album: String
    package var mode: String
    package var albums: String
    /// `unknown`, `online`, `offline`, `otherLibrary`.
    package var standing: String
    /// Why it is offline, and what to do.
    package var detail: String?
    /// `starting`, `inotify`, `polling`; `none` unless it is online.
    package var watching: String
    package var watchingDetail: String?
    package var isMarked: Bool
    package var isScanning: Bool
    package var lastScan: Date?
    /// Whether it is known what went before the start of albumd.
    package var isLookedThrough: Bool
    /// Files that one scan did not find, and that are looked for once more.
    package var missedCount: Int
    /// Directories of which nothing is known now.
    package var unreadable: [String]
    /// Whether a command added it; the others stand in the configuration.
    package var isFromCommand: Bool
    package var onSourceDeleted: String
    package var onAssetDeleted: String
    /// `capture`, `mtime` or `now`.
    package var creationDate: String

    package init(rule: FolderRule, standing: String, watching: String, isFromCommand: Bool) {
        let name = Name(PathBytes(rule.path))
        path = name.text
        pathBase64 = name.base64
        album = rule.album
        mode = rule.mode.rawValue
        albums = rule.albums.rawValue
        self.standing = standing
        self.watching = watching
        isMarked = false
        isScanning = false
        isLookedThrough = false
        missedCount = 0
        unreadable = []
        self.isFromCommand = isFromCommand
        onSourceDeleted = rule.onSourceDeleted.rawValue
        onAssetDeleted = rule.onAssetDeleted.rawValue
        creationDate = rule.creationDate.rawValue
    }
}

/// The body of requests about a folder that is there, by absolute path; of some, about all of them.
package struct FolderPathRequest: Codable, Sendable, Equatable {
    package var path: String?
    package var pathBase64: String?

    package init(path: PathBytes?) {
        guard let path else { return }
        let name = Name(path)
        if name.base64 == nil { self.path = name.text }
        pathBase64 = name.base64
    }
}

/// The body of `addFolder`; fields left out have their defaults.
package struct FolderRequest: Codable, Sendable, Equatable {
    package var path: String?
    package var pathBase64: String?
    package var album: String?
    package var onAlbumMissing: String?
    package var albums: String?
    package var mode: String?
    /// Durations as in the configuration: `2s`, `500ms`.
    package var settle: String?
    package var watch: String?
    package var poll: String?
    package var ignore: [String]?
    package var onSourceDeleted: String?
    package var onAssetDeleted: String?
    package var creationDate: String?
    /// It may be absent now, as where its volume is not mounted.
    package var isOffline: Bool?

    package init(path: PathBytes?) {
        guard let path else { return }
        let name = Name(path)
        if name.base64 == nil { self.path = name.text }
        pathBase64 = name.base64
    }
}

/// One thing that `folder check` tried as the daemon.
package struct FolderCheck: Codable, Sendable, Equatable {
    package var path: String
    /// `exists`, `readable`, `entries`, `mounted`, `watchable`, `marker`, `lease`, `removable`.
    package var check: String
    package var isGood: Bool
    package var detail: String
    package var fix: String?

    package init(path: String, check: String, isGood: Bool, detail: String, fix: String? = nil) {
        self.path = path
        self.check = check
        self.isGood = isGood
        self.detail = detail
        self.fix = fix
    }
}

/// The body of `POST /v1/flush`; 600 seconds where it is left out.
package struct FlushRequest: Codable, Sendable, Equatable {
    package var timeoutSeconds: Double?

    package init(timeoutSeconds: Double?) { self.timeoutSeconds = timeoutSeconds }
}

package struct FlushResult: Codable, Sendable, Equatable {
    /// Files that still wait, by reason, blocked and failed ones among them: none of them settles.
    package var waiting: [String: Int]
    /// Folders of which nothing is known now.
    package var offline: [String]
    package var token: Int64

    package init(waiting: [String: Int], offline: [String], token: Int64) {
        self.waiting = waiting
        self.offline = offline
        self.token = token
    }
}

package struct CountResult: Codable, Sendable, Equatable {
    package var count: Int

    package init(count: Int) { self.count = count }
}

package struct VersionResult: Codable, Sendable, Equatable {
    package var version: String
    package var libraryFormat: Int

    package init(version: String, libraryFormat: Int) {
        self.version = version
        self.libraryFormat = libraryFormat
    }
}
