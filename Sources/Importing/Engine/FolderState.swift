package import FoundationEssentials
package import PhotoModel
package import Platform

/// How changes of a folder are noticed now.
package enum Watching: Sendable, Equatable {
    /// The watcher was asked and has not answered yet: the first scan waits for it.
    case starting
    case inotify
    /// A full scan every so often, and why.
    case polling(String)
}

/// Whether a folder can be relied on now.
package enum Standing: Sendable, Equatable {
    case unknown
    case online
    case offline(String)
    case otherLibrary(UUID)
}

/// What the engine keeps of one folder.
struct FolderState {
    var rule: FolderRule
    var ignore: IgnoreRules
    /// The watcher's number for it.
    let watchID: Int64
    var registration: FolderRegistration?
    var standing = Standing.unknown
    var watching = Watching.starting
    /// Uptime before which an owed scan does not begin; nil where none is owed.
    var scanOwedFrom: Duration?
    /// Whether a person asked for the scan that is owed.
    var isScanAsked = false
    var pace = ScanPace()
    /// Scans begun since the start.
    var scanCount = 0
    /// Whether the scan that runs, or is owed, was begun anew already for somebody who waits.
    var isScanBegunAnew = false
    var nextPeriodicScan: Duration
    /// Uptime at which what a scan missed is to be looked for again; nil where nothing was missed.
    var secondScanFrom: Duration?
    var nextLook: Duration
    /// Uptime at which watches that were not given are asked for again; nil where none are missed.
    var watchAgainFrom: Duration?
    /// Whether the root is not the directory that was taken on or confirmed: its deletions are not followed.
    var isOtherDirectory = false
    /// Whether it was confirmed, and not looked through since: what is missing in it waits for a person.
    var holdsDeletions = false
    var lastScan: Date?
    /// Whether a scan since the start was complete.
    var hasCompleteScan = false
    /// Whether it is known what went before the start: of what a scan missed, another, a minute later, has told.
    var isLookedThrough = false
    var unreadable: [PathBytes: String] = [:]
    /// What lies too deep, or has too long a path, to be imported (RULES S9).
    var beyond: [PathBytes: Reason] = [:]
    /// Directories in it that the last scan found another file system mounted on.
    var mounts: [PathBytes] = []
    /// How many sources each of them covers.
    var covered: [PathBytes: Int] = [:]

    var path: PathBytes { PathBytes(rule.path) }
    /// How soon a scan is owed where something went wrong at `now`.
    mutating func owe(scanAfterFaultAt now: Duration) { owe(from: pace.earliest(from: now)) }

    /// How soon the scan of its interval is owed; a rule of less than a minute is what a person wants.
    mutating func owe(periodicScanAt now: Duration) {
        owe(from: scanInterval < .seconds(60) ? now : pace.earliestPeriodic(from: now))
    }

    /// A person wants it now.
    mutating func owe(scanAskedAt now: Duration) {
        isScanAsked = true
        owe(from: now)
    }

    private mutating func owe(from: Duration) { scanOwedFrom = min(scanOwedFrom ?? from, from) }

    /// The owed scan begins.
    mutating func beginScan(at now: Duration) {
        if !isScanAsked { pace.began(at: now) }
        (isScanAsked, scanCount) = (false, scanCount + 1)
    }

    var albumRule: AlbumRule? { registration.map { AlbumRule(folder: $0.folder, rule: rule) } }

    /// Every six hours, or as often as a polled folder wants (RULES R26).
    var scanInterval: Duration {
        if case .polling = watching { return rule.poll }
        return .seconds(6 * 3600)
    }
}

/// A folder as status tells it.
package struct FolderStatus: Sendable, Equatable {
    package var rule: FolderRule
    package var folder: UUID?
    package var standing: Standing
    package var watching: Watching
    package var isScanning: Bool
    package var isScanOwed: Bool
    package var lastScan: Date?
    package var isMarked: Bool
    /// Whether another directory stands there than was taken on or confirmed, with its marker (RULES R32).
    package var isOtherDirectory = false
    /// Whether it is known what went before the start.
    package var isLookedThrough = false
    /// Scans begun since the start.
    package var scanCount = 0
    /// Directories of which nothing is known now, and why.
    package var unreadable: [PathBytes: String]
    /// Files that a removal left set aside, and why they cannot have their names again.
    package var stranded: [PathBytes: String] = [:]
    /// What lies too deep, or has too long a path, to be imported.
    package var beyond: [PathBytes: Reason] = [:]
    /// Directories that another file system is mounted on, and how many sources of before lie below.
    package var covered: [PathBytes: Int] = [:]
    /// Sources that one scan did not find, and that another must not find before they count as gone.
    package var missedCount: Int

    package init(
        rule: FolderRule, folder: UUID?, standing: Standing, watching: Watching, isScanning: Bool, isScanOwed: Bool,
        lastScan: Date?, isMarked: Bool, unreadable: [PathBytes: String], missedCount: Int = 0
    ) {
        self.rule = rule
        self.folder = folder
        self.standing = standing
        self.watching = watching
        self.isScanning = isScanning
        self.isScanOwed = isScanOwed
        self.lastScan = lastScan
        self.isMarked = isMarked
        self.unreadable = unreadable
        self.missedCount = missedCount
    }
}

extension FolderStatus {
    /// Whether photos may still be found deleted here, or be held, whose files went before the start.
    package var owesDeletionLook: Bool { rule.onSourceDeleted == .trash && !isLookedThrough }
}

/// The engine as status tells it: taken at the end of each step.
package struct EngineStatus: Sendable, Equatable {
    package var folders: [FolderStatus] = []
    package var overflows = 0
    package var watcherRestarts = 0
    /// Entries that the running scan has seen.
    package var scannedEntries: Int?
    /// Why imports are paused.
    package var pause: String?
    /// Why what was found last, a deletion maybe, could not be written down; it is tried again.
    package var unwritten: FileError?
    package var imported = 0
    /// Files that are imported, and one beside them is still to come.
    package var awaited: [AwaitedFile] = []
    /// Deletions that wait for a person.
    package var heldDeletions: [HeldDeletion] = []

    package init(folders: [FolderStatus] = []) { self.folders = folders }

    /// The list that the token stands for; throws what became of it, where none does.
    package func heldDeletion(_ token: String) throws(EngineError) -> HeldDeletion {
        if let held = heldDeletions.first(where: { $0.token == token }) { return held }
        let known = folders.first { $0.folder.map { HeldDeletion.isToken(token, of: $0) } ?? false }
        guard let folder = known ?? folders.first(where: { $0.folder == nil && $0.owesDeletionLook }) else {
            throw .noSuchToken
        }
        if let other = heldDeletions.first(where: { $0.folder == folder.folder }) { throw .listChanged(other.token) }
        throw folder.owesDeletionLook ? .notLookedThrough(PathBytes(folder.rule.path)) : .noSuchToken
    }
}
