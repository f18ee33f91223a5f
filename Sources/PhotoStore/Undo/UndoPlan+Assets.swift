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
                remarks.append("asset \(asset) was deleted for good")
                continue
            }
            guard now == after else {
                remarks.append("asset \(asset) \(UndoPlan.sentence(now))")
                continue
            }
            switch before {
            case .live, .purged:
                toRestore.append(asset)
                remarkOnRemovedFiles(of: asset)
            case _ where isKept(asset):
                remarks.append("asset \(asset) stays in the library: its file could not be put back")
                remarkOnReplaced(of: asset)
            case nil:
                toTrash.append(AssetTrashing(assets: [asset], reason: .undone, runningSeconds: runningSeconds))
            case .trashed(var trashing):
                // Its file is there: what it was deleted for is no reason any more.
                if broughtBack.contains(asset) { (trashing.reason, trashing.folder) = (.undone, nil) }
                toTrash.append(trashing)
            }
        }
        if !toRestore.isEmpty { requests.append(.restoreAssets(AssetRestoring(assets: toRestore))) }
        requests += UndoPlan.joined(toTrash).map { .trashAssets($0) }
    }

    private static func sentence(_ state: Past.State?) -> String {
        switch state {
        case .trashed: "is in Recently Deleted already"
        case .purged: "was deleted for good"
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
            guard before != after else { continue }
            if moved.contains(key) {
                // No undo moves a file: its mapping stays with it.
                if now?.isRemoved == true {
                    remarkOnRemoval(of: key)
                } else if after != nil {
                    remarks.append("'\(printable(key.path.bytes))' stays where the file was moved to")
                }
                continue
            }
            if let asset = after?.localIdentifier, scope.created.contains(asset) { continue }
            // As long as the file is there the next scan would do it again.
            if let after, after.isPresent, [.duplicate, .restored].contains(after.outcome) || after.reason == .paired {
                continue
            }
            // Put back as a part of this undo, or by an earlier one: no undo takes it away.
            if let now, now.reason == .putBack, after?.reason != .putBack {
                remarkOnGone(now)
                continue
            }
            if let now, now.isRemoved, after?.isRemoved == false {
                remarkOnRemoval(of: key)
                continue
            }
            guard now == after else {
                // Its own line tells what came of it.
                if removedSources.contains(where: { $0.key == key }), files.isAsked { continue }
                remarks.append("'\(printable(key.path.bytes))' was decided on again since")
                continue
            }
            guard after?.isRemoved != true || before?.isRemoved == true else {
                remarkOnRemoval(of: key)
                continue
            }
            // A file that is gone must not be taken for gone anew (RULES R35).
            let isBack = before?.departure == nil && after?.departure != nil
            let row = isBack ? nil : before?.seen(as: after)
            requests.append(row.map { .recordSource($0) } ?? .forgetSource(key))
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

extension Source {
    /// The row with what was seen of the file later: no undo changes a file, and the next scan must find it known.
    fileprivate func seen(as later: Source?) -> Source {
        guard let later, later.localIdentifier == localIdentifier, later.evidence != nil else { return self }
        var row = self
        row.evidence = later.evidence
        return row
    }
}
