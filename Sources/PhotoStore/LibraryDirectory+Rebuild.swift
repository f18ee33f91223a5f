import FoundationEssentials
import PhotoModel
import Platform
import SQLite

/// A lost catalogue made anew from the newest good snapshot and the journal (RULES R49).
///
/// The new one is built under another name, and gets its own last: a crash leaves no catalogue, or one of the two.
extension LibraryDirectory {
    private static let catalogueName = Array("catalogue.sqlite".utf8)
    private static let freshName = Array("catalogue.rebuilt.sqlite".utf8)

    /// What a rebuild would be made from; changes nothing.
    ///
    /// A journal that has every change is all: each of its lines says whether it is what was written, and a snapshot that
    /// rotted may not. Where it lacks any, or has less than the newest snapshot, that is where it begins.
    func planRebuild(
        files: any FileVerbs, vfs: String?, trustingSnapshots isTrusting: Bool = false, but excluded: Set<String> = []
    ) throws -> RebuildPlan {
        let snapshot = try newestGoodSnapshot(files: files, vfs: vfs, but: excluded)
        if !isTrusting {
            var plan = try plan(from: nil, files: files)
            plan.passesOverSnapshots = true
            let isAhead = plan.newestToken >= snapshot?.token ?? 0 || hasWrongRows(files: files)
            if plan.isComplete, isAhead { return plan }
        }
        return try plan(from: snapshot, files: files)
    }

    private func plan(from snapshot: (name: String, token: Int64)?, files: any FileVerbs) throws -> RebuildPlan {
        var plan = RebuildPlan()
        if let snapshot { (plan.snapshot, plan.snapshotToken) = (snapshot.name, snapshot.token) }
        let lines = try JournalReader(files: files, directory: journal).lines(after: plan.snapshotToken)
        (plan.runs, plan.lineCount, plan.conflict) = (lines.runs, lines.count, lines.conflict)
        plan.isTorn = lines.endsTorn
        plan.newestToken = lines.newest ?? plan.snapshotToken
        plan.missingTokens = plan.newestToken - plan.snapshotToken - Int64(plan.lineCount)
        plan.isBlank = try plan.snapshot == nil && plan.lineCount == 0 && hasContents(files: files)
        return plan
    }

    private func hasWrongRows(files: any FileVerbs) -> Bool {
        AuditMemory.read(from: self, files: files).history?.rows != nil
    }

    /// What the history makes has no wrong rows; what is lost of it status says.
    private func note(lost: Int, forgettingRows isMadeAnew: Bool, files: any FileVerbs) {
        var memory = AuditMemory.read(from: self, files: files)
        let before = memory
        var found = memory.history ?? HistoryFindings()
        if isMadeAnew { found.rows = nil }
        found.lost = lost == 0 ? nil : lost
        memory.history = found == HistoryFindings() ? nil : found
        guard memory != before else { return }
        // Else status says it after the next verification.
        try? memory.write(to: self, files: files)
    }

    /// Why a plan is not complete.
    func whatIsLacking(_ plan: RebuildPlan) -> LibraryError {
        plan.conflict.map { .journalConflict($0) } ?? .journalIncomplete(upTo: plan.newestToken)
    }

    /// Does it, with the catalogue closed; with `isPartial`, what does not fit is passed over.
    ///
    /// Originals and rows are compared afterwards, as at every start (`PhotoLibrary.recover`).
    func rebuild(
        _ plan: RebuildPlan, isPartial: Bool, machine: Machine, vfs: String?, but excluded: Set<String> = [],
        progress: RebuildProgress
    ) throws -> RebuildReport {
        let files = machine.files
        try removeDatabase(LibraryDirectory.freshName, in: root, files: files)
        // SQLite would make it readable to others.
        let file = try files.create(LibraryDirectory.freshName, in: root)
        let (skipped, lost, contents): (Int, Int, CatalogueContents)
        do {
            (skipped, lost, contents) = try fill(
                from: plan, isPartial: isPartial, at: machine.now(), files: files, vfs: vfs, progress)
        } catch LibraryError.journalUnfit where plan.passesOverSnapshots && !isPartial {
            let other = try planRebuild(files: files, vfs: vfs, trustingSnapshots: true)
            guard other.isComplete else { throw whatIsLacking(other) }
            return try rebuild(
                other, isPartial: false, machine: machine, vfs: vfs, but: excluded, progress: progress)
        } catch {
            // Where it cannot be removed, the next rebuild does.
            try? removeDatabase(LibraryDirectory.freshName, in: root, files: files)
            guard let snapshot = plan.snapshot, isDamage(error) else { throw error }
            // The snapshot was not what it seemed: an older one, or none, may do.
            machine.log(.warning, "a snapshot is damaged, and passed over: \(error)", ["name": snapshot])
            let passedOver = excluded.union([snapshot])
            let other = try planRebuild(files: files, vfs: vfs, but: passedOver)
            guard isPartial || other.isComplete else { throw whatIsLacking(other) }
            return try rebuild(
                other, isPartial: isPartial, machine: machine, vfs: vfs, but: passedOver, progress: progress)
        }
        try files.sync(file)
        try files.sync(root)
        // Once the new catalogue has its name nothing else says it.
        try noteRebuild(files: files)
        try machine.reach(.catalogueRebuilt)
        let kept = try setCatalogueAside(machine)
        try machine.reach(.catalogueSetAside)
        try files.rename(LibraryDirectory.freshName, in: root, to: LibraryDirectory.catalogueName, in: root)
        try files.sync(root)
        try machine.reach(.catalogueReplaced)
        note(lost: lost, forgettingRows: plan.snapshot == nil, files: files)
        return RebuildReport(
            date: machine.now(), setAside: kept, snapshot: plan.snapshot, lineCount: plan.lineCount,
            skippedRequests: skipped, isTorn: plan.isTorn, contents: contents)
    }

    /// Changes that it was made without, and of which no line of the journal says that they are lost.
    private func unsettledCount(_ fresh: Catalogue, files: any FileVerbs) throws -> Int {
        let lost = try fresh.lostTokens()
        guard !lost.isEmpty else { return 0 }
        let given = try JournalAudit(JournalReader(files: files, directory: journal), upTo: 0).givenUp
        return lost.filter { token in !given.contains { $0.contains(token) } }.count
    }

    private func isDamage(_ error: any Error) -> Bool {
        switch error {
        case LibraryError.catalogueDamaged: true
        case let error as DatabaseError: error.isCorrupt || error.isConstraint
        default: false
        }
    }

    /// The snapshot's rows, then the lines of the journal; checked, durable, and without a log beside it.
    private func fill(
        from plan: RebuildPlan, isPartial: Bool, at now: Date, files: any FileVerbs, vfs: String?,
        _ progress: RebuildProgress
    ) throws -> (skipped: Int, lost: Int, contents: CatalogueContents) {
        let path = "\(LibraryDirectory.display(self.path))/catalogue.rebuilt.sqlite"
        if let name = plan.snapshot {
            let snapshot = try Connection(path: snapshotPath(name), mode: .readOnly, vfs: vfs)
            defer { snapshot.close() }
            try snapshot.backup(to: path)
        }
        let fresh = try Catalogue.openForWriting(at: path, vfs: vfs)
        defer { fresh.close() }
        try fresh.migrate { _ in }
        try fresh.connection.useRollbackJournal()
        var lines = JournalLines(JournalReader(files: files, directory: journal), plan.runs)
        let skipped = try fresh.replay(&lines, allowingGaps: isPartial, progress: progress)
        try fresh.forgetUnlinkWork()
        // Whether the clock had jumped is lost with the catalogue, and what was read of files.
        let clock = try fresh.clock() ?? RunningClock(runningSeconds: 0, wall: now, frozenUntil: 0)
        try fresh.setClock(clock.started(now: now, least: try fresh.newestTrashRunningSeconds()).held)
        try fresh.forgetList()
        let findings = try fresh.quickCheck()
        guard findings.isEmpty else {
            throw LibraryError.catalogueDamaged(path: LibraryDirectory.display(self.path), findings: findings)
        }
        return (skipped, try unsettledCount(fresh, files: files), try fresh.counts())
    }

    /// Renames what stands in the catalogue's place, its log and the index of that, too: a log beside another
    /// catalogue would be mixed into it.
    ///
    /// Returns the new name; nil where there was no catalogue.
    private func setCatalogueAside(_ machine: Machine) throws -> String? {
        let kept = "catalogue.corrupt.\(machine.now().stamp)"
        let moved = try ["", "-wal", "-shm"].filter { try setAside($0, as: kept, files: machine.files) }
        if !moved.isEmpty { try machine.files.sync(root) }
        return moved.contains("") ? kept : nil
    }

    private func setAside(_ suffix: String, as kept: String, files: any FileVerbs) throws(FileError) -> Bool {
        let name = LibraryDirectory.catalogueName + Array(suffix.utf8)
        guard try files.statusIfPresent(at: name, in: root) != nil else { return false }
        try files.rename(name, in: root, to: Array((kept + suffix).utf8), in: root)
        return true
    }

    /// Sets a log aside that is not the catalogue's own: that of a live catalogue says so in its header, and our
    /// snapshots and backups say that they have none.
    func setStaleLogAside(_ machine: Machine) throws {
        let files = machine.files
        let log = LibraryDirectory.catalogueName + Array("-wal".utf8)
        guard try files.statusIfPresent(at: log, in: root) != nil else { return }
        if try files.statusIfPresent(at: LibraryDirectory.catalogueName, in: root) != nil {
            let file = try files.openForReading(LibraryDirectory.catalogueName, beneath: root)
            // File format write version: 1 is rollback journal, 2 is log (https://sqlite.org/fileformat2.html).
            guard try readBytes(file, files: files, at: 18, count: 1).first != 2 else { return }
        }
        let kept = "catalogue.stale.\(machine.now().stamp)"
        for suffix in ["-wal", "-shm"] { _ = try setAside(suffix, as: kept, files: files) }
        try files.sync(root)
        machine.log(.warning, "a log that is not the catalogue's was set aside", ["name": "\(kept)-wal"])
    }

    /// The sound one that reaches the newest token: a name may come from a clock that was wrong.
    private func newestGoodSnapshot(
        files: any FileVerbs, vfs: String?, but excluded: Set<String>
    ) throws -> (name: String, token: Int64)? {
        let readable = try snapshotNames(files: files).filter { !excluded.contains($0) }.compactMap { name in
            try? withSnapshot(name, vfs: vfs) { (name: name, token: try $0.lastToken()) }
        }
        var other: LibraryError?
        for candidate in readable.sorted(by: { ($1.token, $1.name) < ($0.token, $0.name) }) {
            do {
                let isUsable = try withSnapshot(candidate.name, vfs: vfs) { snapshot in
                    guard try snapshot.isUsable() else { return false }
                    try requireHistory(of: snapshot, named: "snapshots/\(candidate.name)", files: files)
                    return true
                }
                if isUsable { return candidate }
            } catch let error as LibraryError {
                other = other ?? error
            } catch is DatabaseError {
                // It is damaged: an older one may not be.
            }
        }
        // Where none agrees with the journal, it may be the journal that is another library's.
        if let other { throw other }
        return nil
    }

    func snapshotNames(files: any FileVerbs) throws(FileError) -> [String] {
        try files.list(snapshots).map { String(decoding: $0.name, as: UTF8.self) }
            .filter { $0.hasPrefix("catalogue-") && $0.hasSuffix(".sqlite") }
    }

    func withSnapshot<Value>(_ name: String, vfs: String?, _ body: (Catalogue) throws -> Value) throws -> Value {
        let catalogue = try Catalogue.openForReading(at: snapshotPath(name), vfs: vfs)
        defer { catalogue.close() }
        return try body(catalogue)
    }

    private func snapshotPath(_ name: String) -> String { "\(LibraryDirectory.display(path))/snapshots/\(name)" }
}
