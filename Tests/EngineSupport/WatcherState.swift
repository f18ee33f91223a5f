import Glibc
import Importing
import PhotoModel
import Platform
import TestSupport

/// The queue and the watches of a `PretendWatcher`.
struct WatcherState: Sendable {
    struct Folder: Sendable {
        var root: PathBytes
        /// Nothing that happens before is told.
        var watchedFrom: Duration
    }

    private struct Entry: Sendable {
        var due: Duration
        var serial: Int
        var signal: WatchSignal
    }

    var folders: [Int64: Folder] = [:]
    var manners = WatcherManners()
    var isLimited = false
    private(set) var additions = 0
    private var isLost = false
    private var generator: SeededRandom
    private var queue: [Entry] = []
    private var cookies: [(name: [UInt8], serial: Int)] = []
    private var lastDue = Duration.zero
    private var lastSerial = 0
    /// When an overflow will be mended, as the real watcher does it.
    private var mending = RewatchSchedule(WatchTimes())
    /// Directories whose creation was lost: nobody watches them before the mending.
    private var unwatched: Set<PathBytes> = []
    private var tree = FolderTree()

    init(generator: SeededRandom) { self.generator = generator }

    mutating func add(_ id: Int64, _ root: PathBytes, _ now: Duration) {
        additions += 1
        guard !isLost else { return }
        guard !isLimited else { return put(.watchLimit(folder: id), at: max(lastDue, now + .milliseconds(20))) }
        folders[id] = Folder(root: root, watchedFrom: now + .milliseconds(20))
        unwatched = unwatched.filter { !$0.isBelow(root) }
        // Not before what was told already, or a late overflow would seem to be a new one.
        put(.watching(folder: id, directories: 1), at: max(lastDue, now + .milliseconds(20)))
    }

    mutating func dropCookie(_ name: [UInt8], _ now: Duration) {
        guard !isLost else { return put(.cookieFailed(name: name, code: EMFILE), at: now) }
        lastSerial += 1
        cookies.append((name, lastSerial))
    }

    mutating func happened(_ act: FolderAct, _ tree: FolderTree, _ now: Duration) {
        self.tree = tree
        let signals = act.signals(in: self, now)
        guard !signals.isEmpty else { return }
        if chance(manners.losses) { return lose(act, now) }
        // The walk of a directory that moved watches all of it.
        if case .renamed(let from, _, true) = act { unwatched = unwatched.filter { $0 != from && !$0.isBelow(from) } }
        for (signal, wait) in signals {
            tell(signal, after: wait, now)
            if chance(manners.duplicates) { tell(signal, after: wait, now) }
        }
    }

    /// A directory whose coming was lost, or that is known by its old path, is as good as unwatched.
    private mutating func lose(_ act: FolderAct, _ now: Duration) {
        if case .renamed(let from, let to, true) = act {
            unwatched = Set(unwatched.map { $0 == from || $0.isBelow(from) ? $0.moved(from, to) : $0 })
        }
        if let made = act.madeDirectory { unwatched.insert(made) }
        overflow(now)
    }

    /// Signals come in order, but for what is waited for: a departure without an arrival.
    private mutating func tell(_ signal: WatchSignal, after wait: Duration, _ now: Duration) {
        guard wait == .zero else { return put(signal, at: now + wait) }
        let delay = manners.delay * Int.random(in: 0...100, using: &generator) / 100
        lastDue = max(lastDue, now + delay)
        put(signal, at: lastDue)
    }

    private mutating func put(_ signal: WatchSignal, at due: Duration) {
        lastSerial += 1
        queue.append(Entry(due: due, serial: lastSerial, signal: signal))
    }

    mutating func overflow(_ now: Duration) {
        tell(.overflow, after: .zero, now)
        mending.overflowed(at: now)
    }

    mutating func lose(_ now: Duration) {
        isLost = true
        folders = [:]
        put(.watcherLost(code: EMFILE), at: now)
    }

    mutating func restart(_ now: Duration) {
        isLost = false
        queue = []
        unwatched = []
        mending = RewatchSchedule(WatchTimes())
        put(.watcherRestarted, at: now + .milliseconds(10))
        for id in folders.keys.sorted() {
            folders[id]?.watchedFrom = now + .milliseconds(50)
            put(.watching(folder: id, directories: 1), at: now + .milliseconds(50))
        }
        cookies = cookies.map { ($0.name, lastSerial) }
    }

    mutating func forget() {
        let kept = generator
        let (manners, tree) = (manners, tree)
        self = WatcherState(generator: kept)
        (self.manners, self.tree) = (manners, tree)
    }

    mutating func take(_ now: Duration) -> [WatchSignal] {
        if mending.take(at: now) { mend(now) }
        let due = queue.filter { $0.due <= now }.sorted { ($0.due, $0.serial) < ($1.due, $1.serial) }
        queue.removeAll { $0.due <= now }
        return due.map(\.signal) + takeCookies()
    }

    private mutating func takeCookies() -> [WatchSignal] {
        var seen: [WatchSignal] = []
        while mending.due == nil, let cookie = cookies.first, !queue.contains(where: { $0.serial < cookie.serial }) {
            seen.append(.cookieSeen(name: cookies.removeFirst().name))
        }
        return seen
    }

    var nextDue: Duration? {
        let isCookieDue =
            mending.due == nil
            && (cookies.first.map { cookie in !queue.contains { $0.serial < cookie.serial } } ?? false)
        return (queue.map(\.due) + [mending.due, isCookieDue ? .zero : nil].compactMap { $0 }).min()
    }

    /// Directories that nobody watched are watched now, and their files told.
    private mutating func mend(_ now: Duration) {
        lastDue = max(lastDue, now)
        for id in folders.keys.sorted() {
            guard let root = folders[id]?.root else { continue }
            for file in tree.files(below: root) where isUnwatched(file) {
                put(.touched(folder: id, path: file.relative(to: root).bytes, how: .created), at: lastDue)
            }
            put(.watching(folder: id, directories: 1), at: lastDue)
        }
        unwatched = []
    }

    func isUnwatched(_ path: PathBytes) -> Bool { unwatched.contains { path.isBelow($0) } }

    /// The folder that a path lies in and is watched in, and its path there.
    func place(of path: PathBytes, _ now: Duration) -> (id: Int64, path: [UInt8])? {
        for (id, folder) in folders where path.isBelow(folder.root) {
            guard folder.watchedFrom <= now, !isUnwatched(path) else { return nil }
            return (id, path.relative(to: folder.root).bytes)
        }
        return nil
    }

    /// The files that a walk of a directory finds now.
    func walk(_ directory: PathBytes) -> [PathBytes] { tree.files(below: directory) }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
}
