import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform

/// Taking folders on, letting them go, and knowing whether they are there.
extension ImportEngine {
    /// How often a folder that is not online is looked for.
    static let lookInterval = Duration.seconds(10)
    /// How often one that is: no event tells of a mount over it (RULES R32).
    static let onlineLookInterval = Duration.seconds(30)

    func setFolders(_ rules: [FolderRule]) {
        areFoldersKnown = true
        let wanted = Dictionary(rules.map { (PathBytes($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        for folder in folders.values where wanted[folder.path] == nil {
            letGo(folder)
        }
        for rule in rules {
            guard var folder = folders[PathBytes(rule.path)] else {
                takeOn(rule)
                continue
            }
            guard folder.rule != rule else {
                watchAgain(folder.path)
                continue
            }
            let mustWatchAnew = folder.rule.watch != rule.watch || folder.rule.ignore != rule.ignore
            folder.rule = rule
            folder.ignore = IgnoreRules(rule.ignore)
            folder.owe(scanAskedAt: machine.uptime())
            folders[folder.path] = folder
            owesRemovals = true
            if let uuid = folder.registration?.folder { releaseHeld(of: uuid) }
            if mustWatchAnew { beginWatching(folder.path) }
        }
    }

    private func takeOn(_ rule: FolderRule) {
        let now = machine.uptime()
        let folder = FolderState(
            rule: rule, ignore: IgnoreRules(rule.ignore), watchID: nextWatchID, scanOwedFrom: now,
            nextPeriodicScan: now + .seconds(6 * 3600), nextLook: now)
        nextWatchID += 1
        folders[folder.path] = folder
    }

    private func letGo(_ folder: FolderState) {
        watch.removeFolder(folder.watchID)
        if scan?.folder == folder.path { scan = nil }
        if let uuid = folder.registration?.folder {
            board.update { $0.drop(folder: SourceKey(folder: uuid, path: PathBytes([]))) }
            departures.forget(folder: uuid)
            asides.forget(folder: uuid)
            heldDeletions[uuid] = nil
        }
        folders[folder.path] = nil
    }

    /// Looks for folders that are new or were away, and begins scans that are due.
    func lookAfterFolders() throws {
        let now = machine.uptime()
        for path in folders.keys.sorted() {
            guard let folder = folders[path] else { continue }
            if folder.nextLook <= now { try look(at: path) }
            if folder.watchAgainFrom.map({ $0 <= now }) ?? false { watchAgain(path) }
            let isSecondDue = folder.secondScanFrom.map { $0 <= now } ?? false
            if isSecondDue { folders[path]?.secondScanFrom = nil }
            if isSecondDue {
                oweScan(of: path)
            } else if folder.nextPeriodicScan <= now {
                owe(scanOf: path) { $0.owe(periodicScanAt: $1) }
            }
        }
    }

    /// For whatever is not as it was thought to be.
    func oweScan(of path: PathBytes) { owe(scanOf: path) { $0.owe(scanAfterFaultAt: $1) } }

    func oweAskedScan(of path: PathBytes) { owe(scanOf: path) { $0.owe(scanAskedAt: $1) } }

    private func owe(scanOf path: PathBytes, _ owe: (inout FolderState, Duration) -> Void) {
        guard var folder = folders[path] else { return }
        let now = machine.uptime()
        owe(&folder, now)
        folder.nextPeriodicScan = now + folder.scanInterval
        folders[path] = folder
    }

    /// The folder's root, if it is online now.
    ///
    /// Keep it for one batch or scan only (RULES S2).
    @discardableResult
    func look(at path: PathBytes) throws -> OpenFile? {
        guard var folder = folders[path] else { return nil }
        let known = try folder.registration ?? reader.folder(at: path)
        let before = folder.standing
        let root: OpenFile?
        let places = known == nil ? takenPlaces(besides: path) : []
        switch folderGuard.look(at: path, known: known, avoiding: places) {
        case .online(let opened):
            (folder.standing, root) = (.online, opened)
            folder.registration = known
        case .new(let opened, let registration):
            if let why = try reasonNotToTakeOn(registration) {
                (folder.standing, root) = (.offline(why), nil)
            } else {
                (folder.standing, root) = (.online, opened)
                folder.registration = registration
            }
        case .offline(let why): (folder.standing, root) = (.offline(why), nil)
        case .otherLibrary(let library): (folder.standing, root) = (.otherLibrary(library), nil)
        }
        folder.isOtherDirectory = root.map { !isConfirmed($0, folder) } ?? false
        folder.nextLook = machine.uptime() + (root == nil ? ImportEngine.lookInterval : ImportEngine.onlineLookInterval)
        folders[path] = folder
        if folder.standing != before { say(folder) }
        guard folder.standing == .online else { return nil }
        if before != .online, let uuid = folder.registration?.folder {
            board.update { $0.resume(folder: uuid, now: machine.uptime()) }
        }
        if let root, before != .online || isUncovered(folder, beneath: root) {
            folders[path]?.mounts = []
            folders[path]?.covered = [:]
            beginWatching(path)
        }
        return root
    }

    /// Whether something that was mounted in the folder is no longer: no event tells of that, and what it covered is
    /// neither watched nor known.
    private func isUncovered(_ folder: FolderState, beneath root: OpenFile) -> Bool {
        folder.mounts.contains { path in
            do throws(FileError) {
                _ = try machine.files.openDirectory(path.bytes, beneath: root)
                return true
            } catch {
                return error.code != EXDEV
            }
        }
    }

    /// Asked for a folder that is taken on or confirmed: one that is known is known by its marker and its file system.
    private func takenPlaces(besides path: PathBytes) -> [TakenPlace] {
        let files = machine.files
        let home = files.place(of: library.directory.root).map { TakenPlace(name: "the library", place: $0) }
        let others = folders.values.filter { $0.path != path && $0.standing == .online }.compactMap { folder in
            (try? files.openDirectory(folder.path.bytes)).flatMap { files.place(of: $0) }
                .map { TakenPlace(name: "the folder '\(printable(folder.path.bytes))'", place: $0) }
        }
        return [home].compactMap { $0 } + others
    }

    /// Registers a folder that is new; why not, where that cannot be.
    ///
    /// A folder that was copied with its marker would share every source with the first: it is not taken on.
    private func reasonNotToTakeOn(_ registration: FolderRegistration) throws -> String? {
        if let twin = try reader.folder(registration.folder), twin.path != registration.path, folders[twin.path] != nil
        {
            return
                "its marker .albumd-folder is a copy of that of '\(printable(twin.path.bytes))': remove the file here"
        }
        return try register(registration)
    }

    private func say(_ folder: FolderState) {
        let name = printable(folder.path.bytes)
        switch folder.standing {
        case .unknown: break
        case .online: machine.log(.notice, "the folder is online", ["folder": name])
        case .offline(let why): machine.log(.error, "the folder is offline: \(why)", ["folder": name])
        case .otherLibrary(let other):
            machine.log(
                .error, "the folder belongs to another library: is the library's own volume mounted?",
                ["folder": name, "library": other.uuidString])
        }
    }

    /// Asks for watches, or says why the folder is polled.
    ///
    /// The first scan waits until the watches are set.
    func beginWatching(_ path: PathBytes) {
        guard var folder = folders[path] else { return }
        folder.watchAgainFrom = nil
        if let reason = pollingReason(folder) {
            folder.watching = .polling(reason)
            folder.nextPeriodicScan = machine.uptime() + folder.rule.poll
            watch.removeFolder(folder.watchID)
        } else {
            folder.watching = .starting
            addToWatcher(folder)
        }
        folder.owe(scanAfterFaultAt: machine.uptime())
        folders[path] = folder
    }

    func addToWatcher(_ folder: FolderState) {
        let ignore = folder.ignore
        watch.addFolder(folder.watchID, folder.path.bytes) { ignore.ignores(path: PathBytes($0)) }
    }

    /// Why the folder is polled now; nil where it is to be watched.
    func pollingReason(_ folder: FolderState) -> String? { reasonToPoll(folder) ?? watcherLoss }

    /// Why the folder is polled whatever the watcher has to give.
    func reasonToPoll(_ folder: FolderState) -> String? {
        if folder.rule.watch == .poll { return "watch = \"poll\"" }
        guard folder.rule.watch == .auto, let root = try? machine.files.openDirectory(folder.rule.path) else {
            return nil
        }
        guard case .remote(let kind)? = try? machine.files.fileSystem(of: root).kind else { return nil }
        return "\(kind) gives no events for what others do"
    }

    func poll(_ path: PathBytes, because reason: String) {
        guard var folder = folders[path] else { return }
        if folder.watching != .polling(reason) {
            machine.log(.error, "the folder is polled: \(reason)", ["folder": printable(path.bytes)])
        }
        folder.watching = .polling(reason)
        folder.nextPeriodicScan = machine.uptime() + folder.rule.poll
        folders[path] = folder
    }

    func confirm(_ path: PathBytes) throws -> Result<FolderStatus, EngineError> {
        guard let folder = folders[path] else { return .failure(.noSuchFolder(path)) }
        guard let known = try folder.registration ?? reader.folder(at: path) else {
            return .failure(.folderOffline("the folder was never online"))
        }
        let confirmed: FolderRegistration
        do throws(FileError) {
            let root = try machine.files.openDirectory(path.bytes)
            if let why = folderGuard.overlap(of: root, with: takenPlaces(besides: path)) {
                return .failure(.folderOffline(why))
            }
            confirmed = try folderGuard.confirmed(known)
        } catch {
            return .failure(.folderOffline(error.description))
        }
        if let why = try register(confirmed) { return .failure(.folderOffline(why)) }
        folders[path]?.registration = confirmed
        folders[path]?.holdsDeletions = true
        folders[path]?.hasCompleteScan = false
        folders[path]?.isLookedThrough = false
        try look(at: path)
        oweAskedScan(of: path)
        return .success(describe(folders[path] ?? folder))
    }
}
