import Glibc
import PhotoModel
import PhotoStore
import Platform

/// What the watcher tells. Every signal is a hint; the scan is the truth.
extension ImportEngine {
    private static let watchAgainInterval = Duration.seconds(600)

    func take(_ signal: WatchSignal) throws {
        switch signal {
        case .watching(let id, _): startedWatching(id)
        case .touched(let id, let path, let how): touched(id, path, how)
        case .directoryAppeared(let id, let path): try opened(id, PathBytes(path))
        case .directoryAttributes(let id, let path): try attributesChanged(id, PathBytes(path))
        case .gone(let id, let path, let isDirectory): try gone(id, path, isDirectory: isDirectory)
        case .moved(let id, let from, _, _, let isDirectory): try gone(id, from, isDirectory: isDirectory)
        case .overflow: overflowed()
        case .folderUnreadable(let id, let code): lost(id, "its root cannot be watched (errno \(code))")
        case .rootGone(let id, let loss): lost(id, "its root is gone (\(loss))")
        case .watchLimit(let id):
            polled(id, "the kernel gives no more inotify watches: raise fs.inotify.max_user_watches")
        case .directoryUnreadable(let id, let path, let code): unreadable(id, path, code)
        case .beyondLimit(let id, let path, let bound): beyond(id, path, bound)
        case .folderOverlaps(let id, _): polled(id, "it shares a directory with another folder")
        case .cookieSeen(let name): cookieCame(name)
        case .cookieFailed(let name, let code):
            machine.log(.error, "the flush cookie could not be written", ["errno": String(code)])
            // Then only a scan can say that nothing was missed.
            for folder in folders.values where folder.watching == .inotify {
                oweAskedScan(of: folder.path)
            }
            cookieCame(name)
        case .watcherRestarted: restarted()
        case .watcherLost(let code): lostWatcher(code)
        }
    }

    private func path(of id: Int64) -> PathBytes? { folders.values.first { $0.watchID == id }?.path }

    private func startedWatching(_ id: Int64) {
        guard let path = path(of: id), let folder = folders[path], pollingReason(folder) == nil else { return }
        folders[path]?.watching = .inotify
        folders[path]?.watchAgainFrom = nil
        guard case .polling = folder.watching else { return }
        machine.log(.notice, "the folder is watched again", ["folder": printable(path.bytes)])
        // What came between the last scan and the watches.
        oweScan(of: path)
    }

    private func touched(_ id: Int64, _ path: [UInt8], _ how: Touch) {
        guard let folder = folders.values.first(where: { $0.watchID == id }), let uuid = folder.registration?.folder
        else {
            return
        }
        let key = SourceKey(folder: uuid, path: PathBytes(path))
        let now = machine.uptime()
        guard !folder.ignore.ignores(path: key.path) else {
            if AsideName.name(in: key.path.name.bytes) != nil { asides.saw(key, byScan: false, now: now) }
            return
        }
        guard how != .movedIn || !isNameGivenBack(key, in: folder) else { return }
        let settle = folder.rule.settle
        board.update { $0.saw(key, Sighting(how), settle: settle, now: now) }
    }

    /// Looked at before it is believed: the signal may be older than what stands there now.
    ///
    /// Only the candidate goes; whether a source is gone is asked when it matters, never taken from an event.
    private func gone(_ id: Int64, _ path: [UInt8], isDirectory: Bool) throws {
        guard let folder = folders.values.first(where: { $0.watchID == id }), let uuid = folder.registration?.folder
        else {
            return
        }
        let key = SourceKey(folder: uuid, path: PathBytes(path))
        guard AsideName.name(in: key.path.name.bytes) == nil else { return asides.forget(key) }
        guard isAbsent(key, isDirectory: isDirectory, in: folder) else { return }
        try sawGo(key, isDirectory: isDirectory)
        if isDirectory {
            board.update { $0.drop(folder: key) }
        } else if let candidate = board[key] {
            try vanished(candidate)
        } else {
            try noteGone([key])
        }
    }

    /// Whether nothing of its kind stands there, in a folder that is online.
    ///
    /// Where that cannot be told, a scan notes what keeps it from being told, and what has gone when it can be again.
    private func isAbsent(_ key: SourceKey, isDirectory: Bool, in folder: FolderState) -> Bool {
        guard case .online(let root) = folderGuard.look(at: folder.path, known: folder.registration) else {
            return false
        }
        do throws(FileError) {
            return try machine.files.status(at: key.path.bytes, in: root).kind == .directory && !isDirectory
        } catch {
            if !error.isAbsence, !key.path.isBelow(folder.mounts + folder.unreadable.keys) { oweScan(of: folder.path) }
            return error.isAbsence
        }
    }

    /// The scan waits for the watches to be mended; the watcher lets growing pauses pass before it does (RULES R23).
    ///
    /// A folder that is polled is scanned in its time: a watcher that has no watches for it would never say that they
    /// are mended.
    private func overflowed() {
        count(overflow: true)
        for (path, folder) in folders where folder.watching == .inotify {
            folders[path]?.watching = .starting
            oweScan(of: path)
        }
    }

    /// Every watch is set anew: the scan waits for that, or what comes in between would be missed by both.
    ///
    /// Folders are added again, since those that came while there was no instance are not known to the watcher.
    private func restarted() {
        count(overflow: false)
        watcherLoss = nil
        for path in folders.keys.sorted() {
            guard let folder = folders[path], folder.standing == .online, pollingReason(folder) == nil else { continue }
            beginWatching(path)
        }
    }

    private func lostWatcher(_ code: Int32) {
        watcherLoss =
            code == EMFILE
            ? "there is no inotify instance: raise fs.inotify.max_user_instances"
            : FileError(code: code, verb: "there is no inotify instance").description
        for path in folders.keys.sorted() {
            guard let folder = folders[path], reasonToPoll(folder) == nil, let why = watcherLoss else { continue }
            poll(path, because: why)
            // What the old watches had still to tell is lost with them.
            oweScan(of: path)
        }
    }

    private func lost(_ id: Int64, _ why: String) {
        guard let path = path(of: id) else { return }
        machine.log(.warning, "the folder is no longer watched: \(why)", ["folder": printable(path.bytes)])
        folders[path]?.watching = .starting
        // A look that found it away already knows better why.
        guard folders[path]?.standing == .online else { return }
        folders[path]?.standing = .offline(why)
        folders[path]?.nextLook = machine.uptime() + .seconds(1)
    }

    private func attributesChanged(_ id: Int64, _ directory: PathBytes) throws {
        guard let path = path(of: id), let folder = folders[path] else { return }
        guard isClosed(directory, in: folder) else { return try opened(id, directory) }
        if folder.unreadable[directory] == nil { oweScan(of: path) }
    }

    /// A directory that, or of which something, could not be looked into before: what is in it is the next scan's.
    private func opened(_ id: Int64, _ directory: PathBytes) throws {
        guard let path = path(of: id), let folder = folders[path], let uuid = folder.registration?.folder else {
            return
        }
        let key = SourceKey(folder: uuid, path: directory)
        guard
            try folder.unreadable[directory] != nil || reader.source(key) != nil || reader.hasWaitingSource(below: key)
        else { return }
        oweScan(of: path)
    }

    /// Whether a directory is there and may not be read and searched.
    private func isClosed(_ directory: PathBytes, in folder: FolderState) -> Bool {
        guard case .online(let root) = folderGuard.look(at: folder.path, known: folder.registration) else {
            return false
        }
        do throws(FileError) {
            let opened = try machine.files.openDirectory(directory.bytes, beneath: root)
            _ = try machine.files.openDirectory([], beneath: opened)
            return false
        } catch {
            return error.isPermission
        }
    }

    private func polled(_ id: Int64, _ why: String) {
        guard let path = path(of: id) else { return }
        folders[path]?.watchAgainFrom = machine.uptime() + ImportEngine.watchAgainInterval
        guard folders[path]?.watching != .polling(why) else { return }
        poll(path, because: why)
        oweScan(of: path)
    }

    /// Asks once more for watches that the kernel or the watcher did not give: by now it may (RULES R24, I29).
    ///
    /// Until they are set, the folder is polled as before.
    func watchAgain(_ path: PathBytes) {
        guard let folder = folders[path], folder.standing == .online, case .polling = folder.watching,
            reasonToPoll(folder) == nil
        else { return }
        if folder.watchAgainFrom != nil {
            folders[path]?.watchAgainFrom = machine.uptime() + ImportEngine.watchAgainInterval
        }
        addToWatcher(folder)
    }

    private func unreadable(_ id: Int64, _ path: [UInt8], _ code: Int32) {
        guard let folder = self.path(of: id) else { return }
        let error = FileError(code: code, verb: "watch", path: path)
        folders[folder]?.unreadable[PathBytes(path)] = error.description
        oweScan(of: folder)
    }

    private func beyond(_ id: Int64, _ path: [UInt8], _ bound: WatchBound) {
        guard let folder = self.path(of: id) else { return }
        switch bound {
        case .depth: folders[folder]?.beyond[PathBytes(path)] = .tooDeep
        case .pathBytes: folders[folder]?.beyond[PathBytes(path)] = .pathTooLong
        case .entries:
            folders[folder]?.unreadable[PathBytes(path)] =
                "it has more than \(counted(WatchBound.maximumEntries, "entry"))"
        }
    }
}

extension Sighting {
    init(_ touch: Touch) {
        self =
            switch touch {
            case .created: .created
            case .closedAfterWrite: .closedAfterWrite
            case .movedIn: .movedIn
            case .attributes: .attributes
            case .modified: .modified
            }
    }
}
