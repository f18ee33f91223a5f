extension WatchDecoder {
    /// Begins to watch a folder, or looks at all of it again.
    ///
    /// `root` is absolute; `ignores` takes a directory's path below it and says whether to leave it alone.
    package mutating func add(
        _ folder: Int64, root: [UInt8], ignoring ignores: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        if let known = folders[folder], known.root != root { unwatch(folder) }
        folders[folder] = Folder(root: root, ignores: ignores)
        walks.add(.initial, .root, in: folder)
    }

    /// Stops watching a folder and forgets it.
    package mutating func remove(_ folder: Int64) {
        unwatch(folder)
        folders[folder] = nil
    }

    /// Forgets a folder whose root is lost.
    package mutating func lose(_ folder: Int64, _ reason: RootLoss) {
        remove(folder)
        tell(.rootGone(folder: folder, reason: reason))
    }

    /// Forgets a folder whose root cannot be watched.
    mutating func giveUp(_ folder: Int64, _ why: WatchSignal) {
        remove(folder)
        tell(why)
    }

    /// Notes that the kernel gave no watch (R24).
    mutating func limit(_ folder: Int64) {
        guard folders[folder]?.isLimited == false else { return }
        folders[folder]?.isLimited = true
        tell(.watchLimit(folder: folder))
    }

    /// The folders that are watched in part, or not at all, because the kernel gave no more watches.
    var limitedFolders: [Int64] { folders.filter(\.value.isLimited).keys.sorted() }

    /// Starts again with a new inotify instance: no old watch number means anything now.
    package mutating func restart() {
        table = WatchTable()
        walks = WalkQueue()
        cookieWatch = WatchTable.none
        departures.forget()
        barriers = []
        _ = takeEnded()
        for folder in folders.keys { folders[folder]?.isLimited = false }
        tell(.watcherRestarted)
        walkAll(.initial)
    }

    mutating func walkAll(_ purpose: WalkJob.Purpose) {
        for folder in folders.keys.sorted() { walks.add(purpose, .root, in: folder) }
    }

    private mutating func unwatch(_ folder: Int64) {
        walks.cancel(folder: folder)
        guard let root = table.root(of: folder) else { return }
        end(table.remove(root))
    }
}
