import FoundationEssentials
package import Media
import PhotoModel
package import PhotoStore
package import Platform

/// The main job as a value stepped by events: folders in, outcomes out.
///
/// Synchronous, and confined to one thread.
///
/// One step takes the events that are there, looks at what is due, imports at most some batches, goes on with a scan
/// a little, and says when it wants to be called again. The daemon's driver is `ImportService`; a simulation calls
/// `step` itself.
package final class ImportEngine {
    let machine: Machine
    let library: PhotoLibrary
    /// A reading connection of the engine's own.
    let reader: Catalogue
    let watch: WatchPort
    let board: SettleBoard
    let stager: Stager
    let folderGuard: FolderGuard
    /// Nil where nothing is read while it is imported.
    let facts: FactsPort?

    var folders: [PathBytes: FolderState] = [:]
    /// Before the first rules came, nobody who waits for all folders is told that there is nothing.
    var areFoldersKnown = false
    var nextWatchID: Int64 = 1
    var scan: ScanRun?
    var scanWaiters: [ScanWaiter] = []
    var flushes: [Flush] = []
    /// Why nothing is watched, while the watcher has no inotify instance.
    var watcherLoss: String?
    var pause = ImportPause()
    /// Why the last change of the importer's own was not taken by the disk; nil where it was.
    var unwritten: FileError?
    var departures = DepartureBoard()
    var asides = LeftAsides()
    /// Files that have their names again after a removal that was refused, and the times at which that was.
    var namesGivenBack: [SourceKey: Int64] = [:]
    /// How many removed sources are not closed yet.
    let closing = Monitor(0)
    var awaited = AwaitedFiles()
    /// Deletions that wait for a person, by folder.
    var heldDeletions: [UUID: HeldDeletion] = [:]
    /// Sources of held deletions that turned out to be there; taken off the lists at the end of the step.
    var returned: Set<SourceKey> = []
    var heldReview = HeldReview()
    var nextUpkeep: Duration
    /// When it was last logged that something in a directory may not be read.
    var denied: [SourceKey: Duration] = [:]
    /// Whether an asset was deleted since sources were last removed for it.
    var owesRemovals = true
    package private(set) var status = EngineStatus()
    /// Told the status of each step before anybody gets an answer.
    package var publish: (EngineStatus) -> Void = { _ in }
    private var answers: [() -> Void] = []

    package init(
        machine: Machine, library: PhotoLibrary, reader: Catalogue, recogniser: MediaRecogniser, watch: WatchPort,
        board: SettleBoard, facts: FactsPort? = nil, isStopping: @escaping @Sendable () -> Bool
    ) {
        self.facts = facts
        self.machine = machine
        self.library = library
        self.reader = reader
        self.watch = watch
        self.board = board
        nextUpkeep = machine.uptime()
        stager = Stager(
            machine: machine, originals: library.directory.originals, recogniser: recogniser, isStopping: isStopping)
        folderGuard = FolderGuard(machine: machine, library: library.directory.identifier)
    }

    /// One step.
    ///
    /// Returns the uptime at which the next is due, nil where only an event can bring one.
    package func step(_ events: [EngineEvent]) throws -> Duration? {
        for event in events {
            try take(event)
        }
        try lookAtUnseen()
        try lookAfterFolders()
        try advanceScan()
        try giveBackAsides()
        try importDue()
        try takeOffReturned()
        try reviewHeld(at: machine.uptime())
        try actOnDepartures()
        noteLookedThrough()
        try keepUp()
        updateStatus()
        publish(status)
        // Whoever gets an answer, and then asks for the status, must find what the answer said.
        answerScanWaiters()
        answerFlushes()
        for answer in answers { answer() }
        answers = []
        return nextStep()
    }

    private func take(_ event: EngineEvent) throws {
        switch event {
        case .watch(let signals):
            for signal in signals {
                try take(signal)
            }
        case .setFolders(let rules): setFolders(rules)
        case .scan(let path, let answer): requestScan(path, answer)
        case .flush(let name, let deadline, let answer): try beginFlush(name, deadline: deadline, answer)
        case .retry(let key, let answer): answer(try retry(key))
        case .confirm(let path, let answer):
            let result = try confirm(path)
            answers.append { answer(result) }
        case .confirmDeletion(let token, let answer):
            let result = try confirmDeletion(token)
            answers.append { answer(result) }
        case .putBack(let sources, let isDryRun, let answer): answer(try putBack(sources, isDryRun: isDryRun))
        case .assetsDeleted:
            owesRemovals = true
            try forgetAwaitedOfDeleted()
            try reviewHeld(at: nil)
        case .assetsRestored(let assets): try assetsRestored(assets)
        case .catalogueChecked: nextUpkeep = machine.uptime()
        }
    }

    private func nextStep() -> Duration? {
        let now = machine.uptime()
        if scan != nil, !isScanHeldBack { return now }
        let due = board.update { $0.earliestDue }
        return
            ([due, isAnyScanAwaited ? nil : departures.earliestDue, nextUpkeep, dueReview, asides.earliestDue]
            .compactMap { $0 }
            + folders.values.flatMap(times)
            + flushes.map(\.deadline)).min()
    }

    /// At rest, what was read of the catalogue is let go; a connection that cannot do that keeps it.
    func releaseCaches() {
        try? reader.releaseCache()
        try? library.onThread { try $0.releaseCache() }
    }

    private var dueReview: Duration? { heldReview.isOwed && !heldDeletions.isEmpty ? heldReview.next : nil }

    /// When a folder needs a step of its own: only for what a step can do then, or the thread would spin.
    private func times(of folder: FolderState) -> [Duration] {
        guard folder.standing == .online else { return [folder.nextLook, folder.nextPeriodicScan] }
        // A scan that runs, or watches that are being set, bring their own steps.
        let owed = scan == nil && folder.watching != .starting ? folder.scanOwedFrom : nil
        return [owed, folder.secondScanFrom, folder.nextPeriodicScan, folder.nextLook, folder.watchAgainFrom]
            .compactMap { $0 }
    }

    func updateStatus() {
        status.folders = folders.values.sorted { $0.path < $1.path }.map(describe)
        status.scannedEntries = scan?.walk.entryCount
        status.pause = pause.reason
        status.unwritten = unwritten
        status.awaited = awaited.current(now: machine.uptime())
        status.heldDeletions = heldDeletions.values.sorted { $0.token < $1.token }
    }

    func describe(_ folder: FolderState) -> FolderStatus {
        var status = FolderStatus(
            rule: folder.rule, folder: folder.registration?.folder, standing: folder.standing,
            watching: folder.watching,
            isScanning: scan?.folder == folder.path, isScanOwed: folder.scanOwedFrom != nil, lastScan: folder.lastScan,
            isMarked: folder.registration?.isMarked ?? false, unreadable: folder.unreadable,
            missedCount: folder.registration.map { departures.missedOnce(in: $0.folder) } ?? 0)
        status.isLookedThrough = folder.isLookedThrough
        status.stranded = folder.registration.map { asides.failures(in: $0.folder) } ?? [:]
        status.scanCount = folder.scanCount
        status.beyond = folder.beyond
        status.covered = folder.covered
        status.isOtherDirectory = folder.standing == .online && folder.isOtherDirectory
        return status
    }

    func count(overflow: Bool) {
        if overflow { status.overflows += 1 } else { status.watcherRestarts += 1 }
    }

    func countImported(_ number: Int) { status.imported += number }
}

/// Growing pauses: each twice the one before, up to a bound.
struct BackOff {
    let first: Duration
    let last: Duration
    private var next: Duration

    init(first: Duration, last: Duration) {
        (self.first, self.last, next) = (first, last, first)
    }

    mutating func take() -> Duration {
        defer { next = min(next * 2, last) }
        return next
    }

    mutating func reset() { next = first }
}

/// Imports are paused while the disk has no room or takes no writes (RULES R11, R12).
struct ImportPause {
    private(set) var until = Duration.zero
    private(set) var reason: String?
    /// Whether it is for want of room, for write protection, or for the disk's own fault.
    private(set) var kind = Reason.noSpace
    private var backOff = BackOff(first: .seconds(5), last: .seconds(300))

    mutating func begin(_ kind: Reason, _ reason: String, now: Duration) -> Duration {
        if until <= now {
            until = now + backOff.take()
            (self.kind, self.reason) = (kind, reason)
        }
        return until - now
    }

    mutating func end() {
        until = .zero
        reason = nil
        backOff.reset()
    }
}
