// A rename inside what is watched comes as MOVED_FROM and MOVED_TO with one cookie; one half alone crossed the border.
// In between the name keeps its old place, so that nothing said of it is lost.

extension WatchDecoder {
    mutating func departed(_ event: KernelEvent, _ place: WatchTable.Place, at now: Duration) {
        let watch = event.mask.contains(.isDirectory) ? table.child(event.name, of: event.watch) : nil
        departures.add(event, place, watch: watch, at: now)
    }

    mutating func arrived(_ event: KernelEvent, _ place: WatchTable.Place) {
        let isDirectory = event.mask.contains(.isDirectory)
        let path = joined(place.path, event.name)
        let departure = departures.take(event.cookie)
        guard !isDirectory || !ignores(path, of: place.folder) else {
            if let departure { left(departure) }
            return
        }
        if let departure { tellMoved(departure, place.folder, path) }
        guard isDirectory else { return touched(event, place, .movedIn) }
        guard let departure else { return cameFromOutside(event, place.folder, path) }
        arrived(event, place.folder, departure)
    }

    /// The move window is over: it left the tree, and its watches go with it (R25).
    mutating func left(_ departure: Departures.Departure) {
        let from = currentPath(departure)
        tell(.gone(folder: from.folder, path: from.path, isDirectory: departure.isDirectory))
        guard let watch = departure.watch, table.child(departure.name, of: departure.parent) == watch else { return }
        end(table.remove(watch))
    }

    /// The path under which the name was last known: its directory may have moved since.
    private func currentPath(_ departure: Departures.Departure) -> WatchTable.Place {
        var place = table.place(of: departure.parent) ?? departure.place
        place.path = joined(place.path, departure.name)
        return place
    }

    private mutating func tellMoved(_ departure: Departures.Departure, _ folder: Int64, _ path: [UInt8]) {
        let from = currentPath(departure)
        tell(
            .moved(
                folder: from.folder, from: from.path, toFolder: folder, to: path, isDirectory: departure.isDirectory))
    }

    private mutating func cameFromOutside(_ event: KernelEvent, _ folder: Int64, _ path: [UInt8]) {
        tell(.directoryAppeared(folder: folder, path: path))
        walks.add(.moved, WalkJob.Step(parent: event.watch, name: event.name), in: folder)
    }

    /// Moves a directory in the table, then has both names looked at.
    ///
    /// Two directories exchanged by one call come as two renames, the second of a name that the table has just given
    /// away: `a` to `b`, `b` to `a`. And the events are old news: other renames may have followed. A look puts each
    /// watch where its inode is (`WatchTable.place`).
    private mutating func arrived(_ event: KernelEvent, _ folder: Int64, _ departure: Departures.Departure) {
        if let watch = departure.watch, !table.move(watch, to: event.name, under: event.watch) {
            table.detach(watch)
        }
        walks.add(.moved, WalkJob.Step(parent: event.watch, name: event.name), in: folder)
        walks.add(.vacated, WalkJob.Step(parent: departure.parent, name: departure.name), in: departure.place.folder)
    }
}
