import FoundationEssentials
package import PhotoModel
import PhotoStore
import Platform

/// Sources that go: made sure of first, then treated by their folder's rule (DESIGN section 5; RULES R32-R35).
///
/// Absence is never deletion: the folder must be online, marked and on its file system, before the look and after it.
extension ImportEngine {
    /// A renamed file comes to light under its new name within this, even where it must rest there first.
    private var moment: Duration { (folders.values.map(\.rule.settle).max() ?? .zero) + .seconds(1) }
    private static let postponement = Duration.seconds(1)
    private static let pauseForOthers = Duration.seconds(10)

    /// The watcher saw a file or a directory go, and a look said the same.
    func sawGo(_ key: SourceKey, isDirectory: Bool) throws {
        let now = machine.uptime()
        guard isDirectory else {
            guard let row = try reader.source(key), row.isMappedAndPresent else { return }
            return departures.sawGo(key, now: now, moment: moment)
        }
        var last: PathBytes?
        while true {
            let page = try reader.presentSources(below: key, after: last, limit: 1000)
            for row in page { departures.sawGo(row.key, now: now, moment: moment) }
            last = page.last?.key.path
            guard page.count == 1000 else { return }
        }
    }

    /// What a complete scan of an online folder did not find.
    func missed(_ keys: [SourceKey], in path: PathBytes) {
        let now = machine.uptime()
        for key in keys where heldDeletions[key.folder]?.evidence[key] == nil {
            guard let again = departures.missed(key, now: now) else { continue }
            let planned = folders[path]?.secondScanFrom ?? again
            folders[path]?.secondScanFrom = min(planned, again)
        }
    }

    /// Something stands at the path: whatever was thought of its going is void.
    func isThere(_ key: SourceKey) {
        departures.forget(key)
        if heldDeletions[key.folder]?.evidence[key] != nil { returned.insert(key) }
    }

    /// Once for all of a step: each list that changes is read and logged anew.
    func takeOffReturned() throws {
        for folder in Set(returned.map(\.folder)) {
            guard let held = heldDeletions[folder] else { continue }
            try hold(held.evidence.filter { !returned.contains($0.key) }, in: folder)
        }
        returned = []
    }

    /// A folder is known when a scan was complete and nothing that it missed, or saw go, is still to be judged.
    func noteLookedThrough() {
        for (path, folder) in folders where folder.hasCompleteScan && !folder.isLookedThrough {
            guard let uuid = folder.registration?.folder, !departures.hasAny(in: uuid) else { continue }
            folders[path]?.isLookedThrough = true
            folders[path]?.holdsDeletions = false
        }
    }

    /// Acts on what is due, unless a scan may still tell where it went.
    func actOnDepartures() throws {
        guard !isAnyScanAwaited else { return }
        for (folder, evidence) in departures.takeDue(now: machine.uptime()) {
            try leave(evidence, of: folder)
        }
    }

    var isAnyScanAwaited: Bool { scan != nil || folders.values.contains(where: isScanAwaited) }

    func postpone(_ evidence: [SourceKey: Departure.Evidence], by pause: Duration) {
        let now = machine.uptime()
        for (key, evidence) in evidence {
            departures.postpone(key, evidence, now: now, until: now + pause)
        }
    }

    /// A folder that is not online says nothing: its next scan asks again.
    private func leave(_ evidence: [SourceKey: Departure.Evidence], of uuid: UUID) throws {
        guard let path = folder(of: uuid)?.path, let root = try look(at: path) else { return }
        let arriving = Set(board.candidates().compactMap { $0.status?.inode })
        var (gone, later): ([SourceKey: Departure.Evidence], [SourceKey: Departure.Evidence]) = ([:], [:])
        for (key, evidence) in evidence {
            guard let row = try reader.source(key), row.isMappedAndPresent,
                isAbsent(key, beneath: root, files: machine.files)
            else {
                continue
            }
            if asides.hold(key) {
                later[key] = evidence
            } else if let inode = row.evidence?.inode, arriving.contains(inode) {
                later[key] = evidence
            } else {
                gone[key] = evidence
            }
        }
        postpone(later, by: ImportEngine.postponement)
        // The volume may have gone while it was looked at: then nothing that was seen means anything.
        guard !gone.isEmpty, try look(at: path) != nil, let folder = folders[path] else { return }
        // Status says that it is another directory, and what confirms it.
        guard !folder.mirrorsDeletions || isConfirmed(root, folder) else { return }
        try follow(gone, in: folder, uuid)
    }

    /// Whether the root is the very directory that was taken on or confirmed: a copy of it has the marker, too (R32).
    func isConfirmed(_ root: OpenFile, _ folder: FolderState) -> Bool {
        (try? machine.files.status(of: root))?.inode == folder.registration?.rootInode
    }

    private func follow(_ gone: [SourceKey: Departure.Evidence], in folder: FolderState, _ uuid: UUID) throws {
        guard folder.mirrorsDeletions else { return try commit(gone, trashing: [], reason: .sourceDeleted, in: uuid) }
        let assets = try reader.assetsAbandoned(by: Set(gone.keys))
        let keysOfAssets = Set(assets.flatMap(\.sources))
        let guarded = MassGuard(
            sourceCount: try reader.presentSourceCount(in: uuid),
            trashedWithinHour: try reader.trashedCount(
                byFolder: uuid, since: machine.now().addingTimeInterval(-3600)))
        guard isAlone(assets.count, guarded, in: uuid) else {
            return postpone(gone, by: ImportEngine.pauseForOthers)
        }
        if !assets.isEmpty, heldDeletions[uuid] != nil || folder.holdsDeletions || !guarded.allows(assets.count) {
            let held = gone.filter { keysOfAssets.contains($0.key) }
            try hold(held.merging(heldDeletions[uuid]?.evidence ?? [:]) { new, _ in new }, in: uuid)
            try commit(gone.filter { !keysOfAssets.contains($0.key) }, trashing: [], reason: .sourceDeleted, in: uuid)
        } else {
            try commit(gone, trashing: assets.map(\.asset), reason: .sourceDeleted, in: uuid)
        }
    }

    /// Whether nothing that a scan has missed once, such as what was held before a start, can make them too many: else
    /// the second look decides of all.
    private func isAlone(_ count: Int, _ guarded: MassGuard, in uuid: UUID) -> Bool {
        count == 0 || heldDeletions[uuid] != nil || !guarded.allows(count)
            || guarded.allows(count + departures.missedOnce(in: uuid))
    }

    /// One change for all; what a full disk does not take is tried again.
    private func commit(
        _ gone: [SourceKey: Departure.Evidence], trashing assets: [LocalIdentifier], reason: TrashReason, in uuid: UUID
    ) throws {
        guard !gone.isEmpty else { return }
        let why = try change { change in
            for (key, evidence) in gone.sorted(by: { $0.key < $1.key }) {
                try change.depart(key, evidence, isTrashed: !assets.isEmpty)
            }
            try change.trash(assets, reason: reason, folder: uuid)
        }
        if why != nil { postpone(gone, by: .seconds(10)) }
    }

    func hold(_ evidence: [SourceKey: Departure.Evidence], in uuid: UUID) throws {
        guard !evidence.isEmpty else {
            heldDeletions[uuid] = nil
            return
        }
        guard heldDeletions[uuid]?.evidence != evidence else { return }
        let assets = try evidence.keys.compactMap { key in try reader.source(key)?.localIdentifier.map { (key, $0) } }
        let held = HeldDeletion(
            folder: uuid, evidence: evidence, assets: Dictionary(uniqueKeysWithValues: assets), since: machine.now())
        heldDeletions[uuid] = held
        let name = folder(of: uuid).map { printable($0.path.bytes) } ?? uuid.uuidString
        machine.log(
            .warning, "so many sources were deleted within an hour that a person must confirm it",
            ["folder": name, "sources": String(evidence.count), "token": held.token])
    }

    /// A person says that the deletion of exactly these sources is meant.
    func confirmDeletion(_ token: String) throws -> Result<Int, EngineError> {
        try reviewHeld(at: nil)
        updateStatus()
        let held: HeldDeletion
        do throws(EngineError) { held = try status.heldDeletion(token) } catch { return .failure(error) }
        guard let path = folder(of: held.folder)?.path, let root = try look(at: path), let folder = folders[path],
            isConfirmed(root, folder)
        else {
            return .failure(.folderOffline("nothing can be said of its files now"))
        }
        let absent = held.evidence.filter { isAbsent($0.key, beneath: root, files: machine.files) }
        guard try look(at: path) != nil else { return .failure(.folderOffline("it went away meanwhile")) }
        guard absent.count == held.evidence.count else {
            try hold(absent, in: held.folder)
            return .failure(.listChanged(heldDeletions[held.folder]?.token))
        }
        heldDeletions[held.folder] = nil
        let assets = try reader.assetsAbandoned(by: Set(absent.keys))
        try commit(absent, trashing: assets.map(\.asset), reason: .sourceDeletionConfirmed, in: held.folder)
        return .success(assets.count)
    }

    /// The rule changed: what was held is judged by the new one.
    func releaseHeld(of uuid: UUID) {
        guard let held = heldDeletions.removeValue(forKey: uuid) else { return }
        postpone(held.evidence, by: .zero)
    }

    func folder(of uuid: UUID) -> FolderState? { folders.values.first { $0.registration?.folder == uuid } }
}

extension FolderState {
    /// Whether a deletion here may delete an asset: not in a folder that could be mistaken for another (RULES R32, R33).
    var mirrorsDeletions: Bool {
        registration?.mirrors(rule) == true
    }
}

extension FolderRegistration {
    func mirrors(_ rule: FolderRule) -> Bool {
        rule.onSourceDeleted == .trash && isMarked && fileSystem != nil
    }
}

extension Source {
    package var isMappedAndPresent: Bool { localIdentifier != nil && isPresent }
}
