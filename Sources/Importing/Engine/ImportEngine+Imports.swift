import FoundationEssentials
import Glibc
package import PhotoModel
import PhotoStore
package import Platform
import Synchronization

/// Due candidates become outcomes: looked at, staged on all cores, committed as a batch.
///
/// A batch is what is ready now; it never waits for more.
extension ImportEngine {
    /// Each holds a descriptor until it is published, and 256 are the bound (RULES I36).
    private static let batchCount = 128
    /// Of what one core hashes in a tenth of a second or two: flushes cost little then, and a commit is not long waited for.
    private static let batchBytes: Int64 = 128 << 20
    /// How many one step takes at most, so that events and questions do not wait long for the next.
    private static let stepCount = 512

    /// The beginnings of windows: what was sighted is looked at once, before time passes.
    func lookAtUnseen() throws {
        let unseen = board.update { $0.takeUnseen() }
        var roots = RootsOfStep(self)
        for key in unseen {
            guard let root = try roots.root(of: key.folder) else { continue }
            // What cannot be looked at now is looked at when it is due.
            guard let status = try? machine.files.status(at: key.path.bytes, in: root) else { continue }
            board.update { $0.looked(key, status) }
        }
    }

    func importDue() throws {
        var step = ImportStep(roots: RootsOfStep(self))
        try takeDue(into: &step, inHand: 0)
        guard step.takenCount > 0 else { return }
        defer { awaitClosing() }
        try importBatches(of: &step)
    }

    /// Takes what is due now, looks at it, and sorts it into batches; none where imports are paused.
    ///
    /// `inHand` candidates are being imported and hold their descriptors.
    func takeDue(into step: inout ImportStep, inHand: Int) throws {
        let now = machine.uptime()
        let room = min(Self.batchCount - inHand, Self.stepCount - step.takenCount)
        guard room > 0, inHand == 0 || pause.until <= now else { return }
        let due = board.update { $0.takeDue(now: now, limit: room) }
        guard !due.isEmpty else { return }
        try library.directory.requireInPlace(machine.files)
        guard pause.until <= now else { return wait(due, now: now) }
        step.takenCount += due.count
        var ready: [Candidate] = []
        for candidate in due {
            machine.giveWay()
            switch try examine(candidate, in: &step.roots) {
            case .ready(let status):
                var candidate = candidate
                candidate.status = status
                ready.append(candidate)
            case .toRemove(let source): step.leftovers.append(source)
            case .done: break
            }
        }
        if !ready.isEmpty { try machine.reach(.candidateSettled) }
        step.batches += batches(ready)
    }

    /// When nothing more is due a card may be taken out (RULES S2), and before that there are few open files (RULES I36).
    private func awaitClosing() {
        let isMoreDue = board.update { $0.earliestDue }.map { $0 <= machine.uptime() } ?? false
        let most = isMoreDue ? Self.batchCount : 0
        closing.wait { $0 <= most ? () : nil }
    }

    /// What is due while imports are paused waits for the end of the pause, and says so.
    private func wait(_ due: [Candidate], now: Duration) {
        for candidate in due {
            board.update { $0.postpone(candidate.key, reason: pause.kind, detail: pause.reason, until: pause.until) }
        }
    }

    private enum Examination {
        case ready(FileStatus)
        /// Imported already, in move mode: its file is left over.
        case toRemove(Source)
        case done
    }

    private func examine(_ candidate: Candidate, in roots: inout RootsOfStep) throws -> Examination {
        let key = candidate.key
        let now = machine.uptime()
        guard let root = try roots.root(of: key.folder), let folder = roots.folder(of: key.folder) else {
            board.update { $0.giveBack(key, reason: .folderOffline, after: .seconds(10), now: now) }
            return .done
        }
        do {
            let status = try machine.files.status(at: key.path.bytes, in: root)
            isThere(key)
            guard board.update({ $0.isAtRest(key, status, now: now) }) else { return .done }
            try lookAtOtherNames(of: key, status)
            return try judge(key, status, folder: folder)
        } catch let error as FileError where error.isAbsence {
            try vanished(candidate)
            return .done
        } catch let error as FileError where error.isPermission {
            return try settle(blocked(key), now: now)
        } catch let error as FileError where error.code == EXDEV {
            // Something was mounted over its directory since it was sighted: a scan notes where.
            if !key.path.isBelow(folder.mounts) { oweScan(of: folder.path) }
            return try settle(Source(key: key, outcome: .skipped, reason: .otherFileSystem), now: now)
        } catch let error as FileError {
            board.update {
                $0.giveBack(key, reason: error.lack, detail: error.description, after: .seconds(10), now: now)
            }
            return .done
        }
    }

    /// What is rewritten under one name is rewritten under all, and the kernel tells of the one (inotify(7)).
    private func lookAtOtherNames(of key: SourceKey, _ status: FileStatus) throws {
        guard status.linkCount > 1, status.kind == .regular else { return }
        let now = SourceEvidence(status)
        for row in try reader.mappedSources(inode: status.inode) where row.key != key && row.isPresent {
            guard let evidence = row.evidence, evidence.isSameFile(as: now), !evidence.isUnchanged(from: now),
                let settle = folder(of: row.key.folder)?.rule.settle
            else { continue }
            board.update { $0.saw(row.key, besides: key, settle: settle, now: machine.uptime()) }
        }
    }

    private func judge(_ key: SourceKey, _ status: FileStatus, folder: FolderState) throws -> Examination {
        let row = try reader.source(key)
        if let row, isKnown(SourceGlance(row), status) {
            guard try isToRemove(row, folder.rule) else {
                board.update { $0.finish(key) }
                return .done
            }
            // Else the source is imported again: it still has the bytes that the library lost, or has in the cloud alone.
            if try isStoredSound(row) { return .toRemove(row) }
        }
        let now = machine.uptime()
        switch status.kind {
        case .regular: break
        case .directory:
            board.update { $0.drop(key) }
            // A file stood here, or it could not be looked into before: the next scan tells what is so now.
            if row != nil || folder.unreadable[key.path] != nil { oweScan(of: folder.path) }
            try sawGo(key, isDirectory: false)
            return .done
        case .symlink: return try settle(Source(key: key, outcome: .skipped, reason: .symlink), now: now)
        // Never opened: to open a device or a FIFO can do something already (RULES R30).
        case .other: return try settle(Source(key: key, outcome: .skipped, reason: .notRegular), now: now)
        }
        guard var held = try hold(on: key, folder: folder) else { return .ready(status) }
        held.evidence = SourceEvidence(status)
        return try settle(held, now: now)
    }

    /// A source whose album a person must see to first: not even its bytes are copied.
    private func hold(on key: SourceKey, folder: FolderState) throws -> Source? {
        guard let rule = folder.albumRule,
            case .hold(let reason, let detail) = try rule.target(for: rule.directory(of: key.path), in: reader)
        else { return nil }
        return Source(key: key, outcome: .blocked, reason: reason, detail: detail)
    }

    /// Whether albumd removes the file: in move mode, while its photo is there to stay, or because its asset was deleted.
    func isToRemove(_ row: Source, _ rule: FolderRule) throws -> Bool {
        guard mayBeToRemove(row.outcome, row.reason, rule),
            let asset = try row.localIdentifier.flatMap({ try reader.asset($0) })
        else { return false }
        if asset.state == .live { return rule.mode == .move }
        return rule.onAssetDeleted == .remove && row.reason == .deleted && asset.state == .trashed
            && asset.trashing?.reason == .person
    }

    /// The same without a look at the asset.
    private func mayBeToRemove(_ outcome: Outcome, _ reason: Reason, _ rule: FolderRule) -> Bool {
        outcome.isMapped && (rule.mode == .move || rule.onAssetDeleted == .remove && reason == .deleted)
    }

    private func isStoredSound(_ row: Source) throws -> Bool {
        guard let version = try row.evidence?.hash.flatMap({ try reader.version(of: $0) }) else { return false }
        return version.condition == .sound && version.residency != .inCloud
    }

    /// There is nothing any more: of what was being copied, that is its outcome, until the next scan.
    func vanished(_ candidate: Candidate) throws {
        try noteGone([candidate.key])
        board.update { $0.drop(candidate.key) }
        guard candidate.reason == .changedWhileCopied, try reader.source(candidate.key) == nil else { return }
        _ = try record([
            Source(
                key: candidate.key, outcome: .skipped, reason: .vanished,
                detail: "it was removed, or renamed, while it was being copied")
        ])
    }

    private func blocked(_ key: SourceKey) -> Source {
        logDenied(key, nil)
        return Source(
            key: key, outcome: .blocked, reason: .permission,
            detail: "albumd may not read it: albumctl folder check says what mends that")
    }

    /// Writes an outcome that needed no bytes; where the disk does not take it, it is tried again.
    func conclude(_ source: Source, now: Duration) throws {
        if let error = try record([source]) {
            let (reason, why) = (Reason(ofDisk: error), error.ofLibrary)
            board.update { $0.giveBack(source.key, reason: reason, detail: why, after: .seconds(10), now: now) }
        } else {
            board.update { $0.finish(source.key) }
        }
    }

    private func settle(_ source: Source, now: Duration) throws -> Examination {
        try conclude(source, now: now)
        return .done
    }

    /// Whether nothing is to be done for a source: it is known, and not one that albumd has yet to remove.
    func isSettled(_ row: SourceGlance, _ status: FileStatus, rule: FolderRule) -> Bool {
        isKnown(row, status) && !mayBeToRemove(row.outcome, row.reason, rule)
    }

    /// Whether the catalogue's word on a source still holds: same evidence, and an outcome that looking again cannot
    /// change.
    private func isKnown(_ row: SourceGlance, _ status: FileStatus) -> Bool {
        // What had gone and is back is taken up again.
        guard row.isPresent, let evidence = row.evidence, evidence.isUnchanged(from: SourceEvidence(status))
        else { return false }
        switch row.outcome {
        case .imported, .duplicate, .restored, .updated: return true
        case .skipped where row.reason == .otherFileSystem: return false
        case .skipped: return row.rulesVersion.map { $0 == currentRulesVersion } ?? true
        case .pending, .blocked, .failed: return false
        }
    }

    private func batches(_ ready: [Candidate]) -> [[Candidate]] {
        var batches: [[Candidate]] = []
        var batch: [Candidate] = []
        var bytes: Int64 = 0
        for candidate in ready.sorted(by: { $0.byteCount < $1.byteCount }) {
            if !batch.isEmpty, bytes + candidate.byteCount > ImportEngine.batchBytes {
                batches.append(batch)
                (batch, bytes) = ([], 0)
            }
            batch.append(candidate)
            bytes += candidate.byteCount
        }
        return batch.isEmpty ? batches : batches + [batch]
    }
}

extension Candidate {
    var byteCount: Int64 { status?.byteCount ?? 0 }
}

extension SourceEvidence {
    /// What a look alone gives: no handle, no hash.
    package init(_ status: FileStatus) {
        self.init(
            fileSystem: nil, inode: status.inode, handle: nil, born: status.born, modified: status.modified,
            changed: status.changed, byteCount: status.byteCount, hash: nil)
    }
}
