import Importing
import PhotoModel

extension FolderAct {
    /// A departure without an arrival is told so much later (R25).
    private static let moveWindow = Duration.milliseconds(500)

    var madeDirectory: PathBytes? {
        switch self {
        case .madeDirectory(let path), .renamed(_, let path, true): path
        default: nil
        }
    }

    /// What the watcher tells of it, and how much later than at once.
    func signals(in watches: WatcherState, _ now: Duration) -> [(signal: WatchSignal, wait: Duration)] {
        switch self {
        case .wrote(let path, let isNew, let isClosed):
            let touches: [Touch] = (isNew ? [.created] : []) + [.modified] + (isClosed ? [.closedAfterWrite] : [])
            return touched(path, touches, in: watches, now)
        case .linked(let path): return touched(path, [.created], in: watches, now)
        case .attributes(let path): return touched(path, [.attributes], in: watches, now)
        case .removed(let path, let isDirectory):
            guard let place = watches.place(of: path, now) else { return [] }
            return [(.gone(folder: place.id, path: place.path, isDirectory: isDirectory), .zero)]
        case .madeDirectory(let path):
            guard let place = watches.place(of: path, now) else { return [] }
            return [(.directoryAppeared(folder: place.id, path: place.path), .zero)]
                + walked(path, .created, in: watches, now)
        case .renamed(let from, let to, let isDirectory):
            return renamed(from, to, isDirectory: isDirectory, in: watches, now)
        }
    }

    private func renamed(
        _ from: PathBytes, _ to: PathBytes, isDirectory: Bool, in watches: WatcherState, _ now: Duration
    ) -> [(signal: WatchSignal, wait: Duration)] {
        let (old, new) = (watches.place(of: from, now), watches.place(of: to, now))
        var signals: [(signal: WatchSignal, wait: Duration)] = []
        if let old, let new {
            signals.append(
                (
                    .moved(folder: old.id, from: old.path, toFolder: new.id, to: new.path, isDirectory: isDirectory),
                    .zero
                ))
        } else if let old {
            signals.append((.gone(folder: old.id, path: old.path, isDirectory: isDirectory), FolderAct.moveWindow))
        }
        guard new != nil else { return signals }
        return signals
            + (isDirectory ? walked(to, .movedIn, in: watches, now) : touched(to, [.movedIn], in: watches, now))
    }

    private func walked(
        _ directory: PathBytes, _ touch: Touch, in watches: WatcherState, _ now: Duration
    ) -> [(signal: WatchSignal, wait: Duration)] {
        watches.walk(directory).flatMap { touched($0, [touch], in: watches, now) }
    }

    private func touched(
        _ path: PathBytes, _ touches: [Touch], in watches: WatcherState, _ now: Duration
    ) -> [(signal: WatchSignal, wait: Duration)] {
        guard let place = watches.place(of: path, now) else { return [] }
        return touches.map { (.touched(folder: place.id, path: place.path, how: $0), .zero) }
    }
}
