import FoundationEssentials
import PhotoModel
import Platform

/// Files that a removal had set aside (`SetAside`) when it was cut off, until they have their names again: a value.
struct LeftAsides {
    private struct Left {
        /// Nil where a scan found it: then nobody is at it.
        var seen: Duration?
        var due: Duration
        var pause = BackOff(first: .seconds(5), last: .seconds(60))
        /// Why its name cannot be given back now.
        var error: FileError?
    }

    /// A removal that is under way somewhere has ended by then.
    private static let rest = Duration.seconds(3)
    /// And nearly all of them by then.
    private static let moment = Duration.seconds(1)
    private var all: [SourceKey: Left] = [:]

    /// Looked at when it has rested.
    mutating func saw(_ key: SourceKey, byScan: Bool, now: Duration) {
        guard all[key] == nil else { return }
        all[key] = Left(seen: byScan ? nil : now, due: now + LeftAsides.rest)
    }

    mutating func forget(_ key: SourceKey) { all[key] = nil }

    mutating func forget(folder: UUID) { all = all.filter { $0.key.folder != folder } }

    /// Those whose time has come, in order.
    func due(now: Duration) -> [SourceKey] {
        guard !all.isEmpty else { return [] }
        return all.filter { $0.value.due <= now }.keys.sorted()
    }

    /// Its folder is away, or it could not have its name: later.
    ///
    /// Returns whether that is news.
    mutating func failed(_ key: SourceKey, _ error: FileError?, now: Duration) -> Bool {
        guard var left = all[key] else { return false }
        let isNews = error != nil && left.error == nil
        (left.due, left.error) = (now + left.pause.take(), error ?? left.error)
        all[key] = left
        return isNews
    }

    var earliestDue: Duration? { all.values.map(\.due).min() }

    /// Whether one will have its name again soon.
    func isSettling(now: Duration) -> Bool {
        all.values.contains { left in
            left.error == nil && left.seen.map { now - $0 >= LeftAsides.moment } ?? true
        }
    }

    /// Whether the file of a source may be set aside.
    func hold(_ key: SourceKey) -> Bool { !all.isEmpty && all[SourceKey(aside: key)] != nil }

    /// Why some do not have their names, of all folders.
    var reasons: [Reason] { all.values.compactMap { $0.error.map(Reason.init(ofFolder:)) } }

    /// Why those of a folder do not have their names.
    func failures(in folder: UUID) -> [PathBytes: String] {
        Dictionary(
            all.compactMap { key, left in key.folder == folder ? left.error.map { (key.path, "\($0)") } : nil },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Reason {
    /// What keeps a folder from letting a file go, or have its name.
    init(ofFolder error: FileError) {
        self = error.isReadOnly ? .folderReadOnly : error.isPermission ? .permission : error.lack
    }
}

extension SourceKey {
    /// Where a removal sets its file aside.
    init(aside key: SourceKey) {
        self.init(folder: key.folder, path: key.path.directory.appending(AsideName.aside(of: key.path.name.bytes)))
    }
}
