import PhotoModel
import Platform

/// Assets and their sources.
extension UndoPlan {
    mutating func undoStates(_ runningSeconds: Int64) {
        var toTrash: [AssetTrashing] = []
        var toRestore: [LocalIdentifier] = []
        for asset in scope.assets.sorted() {
            let (before, after, now) = (basis.before.assets[asset], basis.after.assets[asset], basis.now.assets[asset])
            guard before != after else { continue }
            guard after != .purged else {
                remarks.append("asset \(asset) was deleted for good: its bytes are gone")
                continue
            }
            guard now == after else {
                remarks.append("asset \(asset) \(UndoPlan.sentence(now))")
                continue
            }
            switch before {
            case nil:
                toTrash.append(AssetTrashing(assets: [asset], reason: .undone, runningSeconds: runningSeconds))
            case .trashed(let trashing): toTrash.append(trashing)
            case .live, .purged: toRestore.append(asset)
            }
        }
        if !toRestore.isEmpty { requests.append(.restoreAssets(AssetRestoring(assets: toRestore))) }
        requests += UndoPlan.joined(toTrash).map { .trashAssets($0) }
    }

    private static func sentence(_ state: Past.State?) -> String {
        switch state {
        case .trashed: "is in Recently Deleted already"
        case .purged: "was deleted for good: its bytes are gone"
        case .live, nil: "was restored since"
        }
    }

    /// As few requests as there are reasons.
    private static func joined(_ trashings: [AssetTrashing]) -> [AssetTrashing] {
        var joined: [AssetTrashing] = []
        for trashing in trashings {
            let same = joined.firstIndex {
                ($0.reason, $0.folder, $0.runningSeconds) == (trashing.reason, trashing.folder, trashing.runningSeconds)
            }
            if let same { joined[same].assets += trashing.assets } else { joined.append(trashing) }
        }
        return joined
    }

    /// The sources of an asset that the change made stay its sources: else the next scan would bring it back.
    mutating func undoSources() {
        let moved = movedSources
        for key in scope.sources.sorted() {
            let (before, after) = (basis.before.sources[key], basis.after.sources[key])
            let now = basis.now.sources[key]
            if let now, now.isRemoved, now.localIdentifier != nil { removedSources.append(now) }
            guard before != after else { continue }
            if moved.contains(key) {
                // No undo moves a file: its mapping stays with it.
                if after != nil { remarks.append("'\(printable(key.path.bytes))' stays where the file was moved to") }
                continue
            }
            if let asset = after?.localIdentifier, scope.created.contains(asset) { continue }
            guard now == after else {
                remarks.append("'\(printable(key.path.bytes))' was decided on again since")
                continue
            }
            guard after?.isRemoved != true || before?.isRemoved == true else {
                remarks.append("'\(printable(key.path.bytes))' was removed: --put-back puts its bytes there again")
                continue
            }
            // A file that is gone must not be taken for gone anew (RULES R35).
            let isBack = before?.departure == nil && after?.departure != nil
            requests.append(isBack ? .forgetSource(key) : before.map { .recordSource($0) } ?? .forgetSource(key))
        }
    }

    /// Both ends of every move of a file that the change took note of.
    private var movedSources: Set<SourceKey> {
        let arrived = scope.sources.filter { key in
            guard let after = basis.after.sources[key], after.localIdentifier != nil else { return false }
            return after.reason == .moved || after.reason == .edited && basis.before.sources[key] == nil
        }
        let assets = Set(arrived.compactMap { basis.after.sources[$0]?.localIdentifier })
        let left = scope.sources.filter { key in
            basis.after.sources[key] == nil && basis.before.sources[key]?.localIdentifier.map(assets.contains) == true
        }
        return arrived.union(left)
    }
}
