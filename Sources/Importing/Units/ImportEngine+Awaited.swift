import Media
import PhotoModel
import PhotoStore
import Platform

/// Files that came without those that they belong to.
extension ImportEngine {
    /// For how long a sidecar still waits for the file that it speaks of.
    func patience(with candidate: Candidate) -> Duration {
        candidate.firstSeen + awaitedTime(in: candidate.key) - machine.uptime()
    }

    private func awaitedTime(in key: SourceKey) -> Duration { folder(of: key.folder)?.rule.awaited ?? .zero }

    /// Lets the one wait, and looks again at those that waited for what came.
    func noteCompanions(_ imported: ImportedBatch, _ candidates: [Candidate]) {
        let now = machine.uptime()
        for candidate in candidates {
            guard let kind = imported.orphans[candidate.key] else { continue }
            let detail = "it is \(kind.words), and awaits \(AwaitedCompanion.described(kind).words)"
            let pause = max(patience(with: candidate), .milliseconds(1))
            board.update {
                $0.giveBack(candidate.key, reason: .companionAwaited, detail: detail, after: pause, now: now)
            }
        }
        awaited.take(imported, now: now, awaitedTime)
        for key in imported.passedOver { lookAgain(key, candidates) }
        lookAgain(atCompanionsOf: imported.arrived)
    }

    /// Sidecars that wait beside these files.
    private func lookAgain(atCompanionsOf arrived: [SourceKey]) {
        guard !arrived.isEmpty else { return }
        let waiting = board.update { tracker in
            tracker.all.filter { $0.reason == .companionAwaited && !$0.isTaken && !$0.isSettling }.map(\.key)
        }
        for key in waiting {
            let isMeant = arrived.contains {
                $0.isNear(key) && NeighbourNames.areNear($0.path.name.bytes, key.path.name.bytes)
            }
            if isMeant { lookAgain(key) }
        }
    }

    /// Sidecars that came while their photo was in Recently Deleted.
    func assetsRestored(_ assets: [LocalIdentifier]) throws {
        // Its own file may be gone, as it is in move mode: the name is what a sidecar speaks of.
        let sources = try assets.flatMap { try reader.sources(of: $0) }.map(\.key)
        let passedOver = try Set(sources.flatMap { try reader.sidecarsPassedOver(near: $0) }).sorted()
        if !passedOver.isEmpty {
            // What the disk does not take now is left as it is, and told by status.
            _ = try change { change in
                for key in passedOver {
                    try change.perform(.forgetSource(key))
                    change.tell("it is looked at again: the photo that it may speak of was restored", of: key)
                }
            }
        }
        for key in passedOver { lookAgain(key) }
        lookAgain(atCompanionsOf: sources)
    }

    /// Nothing is awaited of a photo that was deleted.
    func forgetAwaitedOfDeleted() throws {
        for asset in awaited.assets where try reader.asset(asset)?.state != .live { awaited.forget(asset) }
    }

    /// A sidecar that was passed over, for one of these came; whoever waits for them waits for it.
    private func lookAgain(_ key: SourceKey, _ candidates: [Candidate]) {
        guard let folder = folder(of: key.folder), let order = candidates.map(\.order).min() else { return }
        board.update {
            $0.saw(key, .retry, following: order, settle: folder.rule.settle, now: machine.uptime())
        }
    }
}
