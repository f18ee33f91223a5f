// What each kind of event means (inotify(7)). An event has one kind.

extension WatchDecoder {
    mutating func happenedToFile(_ event: KernelEvent, _ place: WatchTable.Place, at now: Duration) {
        switch event.mask {
        case .create: touched(event, place, .created)
        case .closeWrite: touched(event, place, .closedAfterWrite)
        case .modify: touched(event, place, .modified)
        case .attributes: touched(event, place, .attributes)
        case .movedFrom: departed(event, place, at: now)
        case .movedTo: arrived(event, place)
        case .delete: tell(.gone(folder: place.folder, path: joined(place.path, event.name), isDirectory: false))
        default: break
        }
    }

    mutating func happenedToDirectory(_ event: KernelEvent, _ place: WatchTable.Place, at now: Duration) {
        let path = joined(place.path, event.name)
        guard !ignores(path, of: place.folder) || event.mask.contains(.movedTo) else { return }
        switch event.mask.subtracting(.isDirectory) {
        case .create: appeared(event, place)
        case .movedFrom: departed(event, place, at: now)
        case .movedTo: arrived(event, place)
        case .delete: deleted(event, place)
        // Where it could not be read before, perhaps it can now.
        case .attributes where table.child(event.name, of: event.watch) == nil: appeared(event, place)
        case .attributes: tell(.directoryAttributes(folder: place.folder, path: path))
        default: break
        }
    }

    /// A directory's own events; only the root's matter, for a parent tells of all others.
    mutating func happenedToItself(_ event: KernelEvent, _ place: WatchTable.Place) {
        let mask = event.mask.subtracting(.isDirectory)
        if mask == .deleteSelf { expectIgnored(event.watch) }
        guard table.folder(rootedAt: event.watch) != nil else { return }
        switch mask {
        case .deleteSelf: lose(place.folder, .deleted)
        case .moveSelf: lose(place.folder, .moved)
        case .unmount: lose(place.folder, .unmounted)
        default: break
        }
    }

    /// A watch is over.
    ///
    /// If nobody ended it and its directory was not deleted, only a look can tell what it is now.
    mutating func watchEnded(_ watch: Int32) {
        if watch == cookieWatch { cookieWatch = WatchTable.none }
        guard !table.passIgnored(watch) else { return }
        let place = table.place(of: watch)
        let parent = table.parent(of: watch)
        let name = table.name(of: watch) ?? []
        table.removeEnded(watch)
        guard let place else { return }
        walks.add(.rewatch, WalkJob.Step(parent: parent, name: name), in: place.folder)
    }

    func ignores(_ path: [UInt8], of folder: Int64) -> Bool { folders[folder]?.ignores(path) ?? true }

    /// A directory to be walked, unless a walk from above has found it already.
    private mutating func appeared(_ event: KernelEvent, _ place: WatchTable.Place) {
        guard table.child(event.name, of: event.watch) == nil else { return }
        tell(.directoryAppeared(folder: place.folder, path: joined(place.path, event.name)))
        walks.add(.appeared, WalkJob.Step(parent: event.watch, name: event.name), in: place.folder)
    }

    private mutating func deleted(_ event: KernelEvent, _ place: WatchTable.Place) {
        tell(.gone(folder: place.folder, path: joined(place.path, event.name), isDirectory: true))
        // Still known only where someone holds the directory open: its IN_DELETE_SELF comes later.
        guard let child = table.child(event.name, of: event.watch) else { return }
        end(table.remove(child))
    }

    /// The directory is deleted, so its watch ends by itself: the table forgets it now, and its IN_IGNORED is owed.
    private mutating func expectIgnored(_ watch: Int32) {
        guard table.folder(rootedAt: watch) == nil else { return }
        table.removeEnded(watch)
        table.awaitIgnored(watch)
    }

}
