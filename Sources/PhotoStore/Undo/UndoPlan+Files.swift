package import PhotoModel
import Platform

/// Files that albumd had removed, and that an undo may put back.
extension UndoPlan {
    /// Those that the change removed itself, and those that were removed since of an asset that it made, deleted or
    /// brought back.
    func findRemovedSources() -> [Source] {
        let concerned = scope.assets.filter { basis.before.assets[$0] != basis.after.assets[$0] }
        let sources = basis.now.removed.values.filter { source in
            scope.sources.contains(source.key)
                || basis.after.removed[source.key] == nil && source.localIdentifier.map(concerned.contains) == true
        }
        return sources.sorted { $0.key < $1.key }
    }

    /// Whether the undo sends the photo of a source to Recently Deleted: its file must be back before.
    package func trashes(_ source: Source) -> Bool {
        requests.contains { request in
            guard case .trashAssets(let trashing) = request, let asset = source.localIdentifier else { return false }
            return trashing.assets.contains(asset)
        }
    }

    /// Whether a file of the asset was to be put back, and could not be.
    func isKept(_ asset: LocalIdentifier) -> Bool {
        removedSources.contains { $0.localIdentifier == asset && files.failed.contains($0.key) }
            || files.isAsked && basis.now.replaced.values.contains(asset)
    }

    /// The files of an asset that cannot be put back, for another stands at the path of each.
    mutating func remarkOnReplaced(of asset: LocalIdentifier) {
        for (key, before) in basis.now.replaced.sorted(by: { $0.key < $1.key }) where before == asset {
            remarks.append("'\(printable(key.path.bytes))' is another file now, which nothing is put in the place of")
        }
    }

    mutating func remarkOnRemovedFiles(of asset: LocalIdentifier) {
        for source in removedSources where source.localIdentifier == asset && !scope.sources.contains(source.key) {
            remarkOnRemoval(of: source.key)
        }
    }

    /// Where it is asked for, its own line tells what came of it.
    mutating func remarkOnRemoval(of key: SourceKey) {
        guard !files.isAsked else { return }
        remarks.append("'\(printable(key.path.bytes))' was removed: --put-back puts its bytes there again")
    }

    /// A file that was put back once, and that somebody took away since: no undo brings it a second time.
    mutating func remarkOnGone(_ source: Source) {
        guard !source.isPresent, !source.isRemoved, let asset = source.localIdentifier else { return }
        remarks.append(
            "'\(printable(source.key.path.bytes))' was put back before, and is gone since: "
                + "albumctl original \(asset) -o FILE writes its bytes anywhere")
    }

    /// The assets that came back with a file.
    var broughtBack: Set<LocalIdentifier> {
        let rows = scope.sources.compactMap { basis.after.sources[$0] }
        return Set(rows.filter { $0.outcome == .restored && $0.isPresent }.compactMap(\.localIdentifier))
    }
}
