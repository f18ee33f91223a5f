import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// A scan of one folder while it runs.
struct ScanRun {
    let folder: PathBytes
    let uuid: UUID
    var walk: ScanWalk
    var merge: SourceMerge
    /// Sources that wait and that the scan did not find: let go at its end, if it was complete.
    var absent: [SourceKey] = []
    /// Mapped sources that it did not find.
    var missed: [SourceKey] = []
    var unreadable: [PathBytes: String] = [:]
    var beyond: [PathBytes: Reason] = [:]
    /// Directories that another file system is mounted on: of what is below them nothing is known.
    var mounts: [PathBytes] = []
    /// How many mapped sources lie below each of them.
    var covered: [PathBytes: Int] {
        let counts = mounts.map { mount in (mount, missed.count { $0.path.isBelow([mount]) }) }
        return Dictionary(counts) { _, new in new }
    }

    /// Whether something failed for another reason than its rights, or could not be written down.
    var isUnreachable = false
}

/// Somebody who waits for scans to end.
struct ScanWaiter {
    let path: PathBytes?
    let answer: @Sendable ([FolderStatus]) -> Void
}

/// Full scans: the truth that watching only hints at. One at a time, a slice in each step.
extension ImportEngine {
    private static let slice = 2000
    private static let unreachableInterval = Duration.seconds(300)
    /// With so many candidates waiting a scan stands still: the queue of the rest is the file system itself.
    private static let candidateLimit = 20_000

    var isScanHeldBack: Bool { board.update { $0.count } > ImportEngine.candidateLimit }

    func requestScan(_ path: PathBytes?, _ answer: @escaping @Sendable ([FolderStatus]) -> Void) {
        let now = machine.uptime()
        for folder in folders.values.sorted(by: { $0.path < $1.path }) where path == nil || folder.path == path {
            if folder.standing != .online { folders[folder.path]?.nextLook = now }
            oweAskedScan(of: folder.path)
            watchAgain(folder.path)
        }
        scanWaiters.append(ScanWaiter(path: path, answer: answer))
    }

    func answerScanWaiters() {
        guard areFoldersKnown else { return }
        let (done, waiting) = scanWaiters.partitioned { waiter in
            !folders.values.contains { (waiter.path == nil || waiter.path == $0.path) && isScanAwaited($0) }
        }
        scanWaiters = waiting
        for waiter in done {
            waiter.answer(folders.values.filter { waiter.path == nil || waiter.path == $0.path }.map(describe))
        }
    }

    /// Whether a scan of the folder runs or will run by itself: an offline folder's does not.
    func isScanAwaited(_ folder: FolderState) -> Bool {
        if scan?.folder == folder.path { return true }
        switch folder.standing {
        case .offline, .otherLibrary: return false
        case .unknown, .online: return folder.scanOwedFrom != nil
        }
    }

    /// Sees to it that a scan begins after now, for somebody who waits for its end.
    ///
    /// One that is under way already is begun anew rather than followed by another; but only once, or whoever asks often
    /// enough would keep it from ever ending.
    func scanFromNow(_ path: PathBytes) {
        if scan?.folder == path, folders[path]?.isScanBegunAnew == false {
            scan = nil
            folders[path]?.isScanBegunAnew = true
        }
        oweAskedScan(of: path)
    }

    func advanceScan() throws {
        if scan == nil { try beginOwedScan() }
        guard var run = scan, !isScanHeldBack else { return }
        let items = run.walk.advance(limit: ImportEngine.slice)
        try take(items, in: &run)
        scan = run
        if run.walk.isFinished { try finish(run) }
    }

    private func beginOwedScan() throws {
        let now = machine.uptime()
        let owed = folders.values.filter { folder in
            folder.standing == .online && folder.watching != .starting && folder.scanOwedFrom.map { $0 <= now } ?? false
        }
        guard let folder = owed.min(by: { $0.path < $1.path }) else { return }
        folders[folder.path]?.scanOwedFrom = nil
        folders[folder.path]?.nextPeriodicScan = now + folder.scanInterval
        guard let root = try look(at: folder.path), let uuid = folders[folder.path]?.registration?.folder else {
            return
        }
        do throws(FileError) {
            let walk = try ScanWalk(
                root: root, ignore: folder.ignore, files: machine.files, beginLoop: machine.beginLoop)
            folders[folder.path]?.beginScan(at: now)
            scan = ScanRun(
                folder: folder.path, uuid: uuid, walk: walk, merge: SourceMerge(folder: uuid, catalogue: reader))
        } catch {
            // Not a folder to be relied on: it is looked for again.
            folders[folder.path]?.standing = .offline(error.description)
            folders[folder.path]?.nextLook = now + ImportEngine.lookInterval
        }
    }

    private func take(_ items: [ScanItem], in run: inout ScanRun) throws {
        guard let folder = folders[run.folder] else { return }
        var records: [Source] = []
        for item in items {
            switch item {
            case .file(let path, let status): try compare(path, status, of: folder, in: &run)
            case .skipped(let path, let reason):
                let (_, absent) = try run.merge.advance(to: path)
                note(absent, in: &run)
                if reason == .otherFileSystem { run.mounts.append(path) }
                if reason == .tooDeep || reason == .pathTooLong { run.beyond[path] = reason }
                records.append(Source(key: SourceKey(folder: run.uuid, path: path), outcome: .skipped, reason: reason))
            case .aside(let path):
                asides.saw(SourceKey(folder: run.uuid, path: path), byScan: true, now: machine.uptime())
            case .unreadable(let path, let error):
                run.unreadable[path] = error.description
                logDenied(SourceKey(folder: run.uuid, path: path), error)
                guard error.isPermission else {
                    run.isUnreachable = true
                    continue
                }
                records.append(
                    Source(
                        key: SourceKey(folder: run.uuid, path: path), outcome: .blocked, reason: .permission,
                        detail: "albumd may not look into it: albumctl folder check says what mends that"))
            }
        }
        // What the disk does not take now is met by the next scan, which comes soon then.
        if try record(records) != nil { run.isUnreachable = true }
    }

    private func compare(_ path: PathBytes, _ status: FileStatus, of folder: FolderState, in run: inout ScanRun) throws
    {
        let (row, absent) = try run.merge.advance(to: path)
        note(absent, in: &run)
        let key = SourceKey(folder: run.uuid, path: path)
        isThere(key)
        if let row, isSettled(row, status, rule: folder.rule) { return }
        let now = machine.uptime()
        let known = try row.flatMap { _ in try reader.source(key) }
        // What is a candidate already was sighted by an event, and keeps its window.
        board.update { tracker in
            guard tracker[key] == nil else { return }
            tracker.saw(key, .scan, settle: folder.rule.settle, now: now, status: status, known: known)
        }
    }

    /// Rows that the scan passed without finding their file.
    ///
    /// Mappings stay: absence is not deletion.
    private func note(_ absent: [SourceGlance], in run: inout ScanRun) {
        for row in absent {
            let key = SourceKey(folder: run.uuid, path: row.path)
            if row.waits { run.absent.append(key) }
            if row.isMapped, row.isPresent { run.missed.append(key) }
        }
    }

    private func finish(_ run: ScanRun) throws {
        var run = run
        note(try run.merge.rest(), in: &run)
        scan = nil
        folders[run.folder]?.isScanBegunAnew = false
        // The root may have gone while it was walked: only then does what was not found say anything (RULES R32).
        if run.walk.isComplete, let root = try look(at: run.folder) {
            let missing = run.missed.filter { !$0.path.isBelow(run.mounts) && isGone($0, from: root) }
            try noteGone(run.absent.filter { !$0.path.isBelow(run.mounts) && isGone($0, from: root) })
            departures.forgetMissed(in: run.uuid, but: Set(missing))
            missed(missing, in: run.folder)
            folders[run.folder]?.hasCompleteScan = true
            folders[run.folder]?.covered = run.covered
        }
        if run.isUnreachable { hurry(run.folder) }
        folders[run.folder]?.unreadable = run.unreadable
        folders[run.folder]?.beyond = run.beyond
        folders[run.folder]?.mounts = run.mounts
        folders[run.folder]?.lastScan = machine.now()
    }

    /// Looked at again: a directory was read ahead of its turn, and the file may have come, and been imported, since.
    ///
    /// A directory there is no file: it was blocked, and is looked into now.
    private func isGone(_ key: SourceKey, from root: OpenFile) -> Bool {
        do throws(FileError) {
            return try machine.files.status(at: key.path.bytes, in: root).kind == .directory
        } catch {
            return error.isAbsence
        }
    }

    /// A part that could not be reached is tried again soon; one that may not be read, when its rights change.
    private func hurry(_ path: PathBytes) {
        guard let next = folders[path]?.nextPeriodicScan else { return }
        folders[path]?.nextPeriodicScan = min(next, machine.uptime() + ImportEngine.unreachableInterval)
    }
}

extension PathBytes {
    /// Whether it lies in one of these directories.
    func isBelow(_ directories: [PathBytes]) -> Bool {
        directories.contains { bytes.starts(with: $0.bytes + [UInt8(ascii: "/")]) }
    }
}

extension Array {
    fileprivate func partitioned(_ belongsFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
        (filter(belongsFirst), filter { !belongsFirst($0) })
    }
}
