import Media
import PhotoModel
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
        guard !imported.arrived.isEmpty else { return }
        let waiting = board.update { tracker in
            tracker.all.filter { $0.reason == .companionAwaited && !$0.isTaken && !$0.isSettling }.map(\.key)
        }
        for key in waiting {
            let isMeant = imported.arrived.contains {
                $0.isNear(key) && NeighbourNames.areNear($0.path.name.bytes, key.path.name.bytes)
            }
            if isMeant { lookAgain(key) }
        }
    }

    /// A sidecar that was passed over, for one of these came; whoever waits for them waits for it.
    private func lookAgain(_ key: SourceKey, _ candidates: [Candidate]) {
        guard let folder = folder(of: key.folder), let order = candidates.map(\.order).min() else { return }
        board.update {
            $0.saw(key, .retry, following: order, settle: folder.rule.settle, now: machine.uptime())
        }
    }
}
