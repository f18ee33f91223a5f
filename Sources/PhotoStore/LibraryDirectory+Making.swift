import FoundationEssentials
import PhotoModel
import Platform
import SQLite

/// A catalogue that was made anew, before it gets its name.
struct MadeCatalogue {
    /// What it was made from in the end.
    var plan: RebuildPlan
    var skippedRequests: Int
    var lostChanges: Int
    /// Those of which no line of the journal says that they are lost.
    var unsettledChanges: Int
    var contents: CatalogueContents

    func report(at date: Date, setAside: String?) -> RebuildReport {
        RebuildReport(
            date: date, setAside: setAside, snapshot: plan.snapshot, lineCount: plan.lineCount,
            skippedRequests: skippedRequests, lostChanges: lostChanges, brought: plan.brought, isTorn: plan.isTorn,
            contents: contents)
    }
}

/// Making a catalogue anew under another name: a snapshot's rows, and the journal's changes.
extension LibraryDirectory {
    static let rebuiltName = Array("catalogue.rebuilt.sqlite".utf8)

    /// Makes it, and makes it durable; with `isPartial`, what does not fit is passed over.
    ///
    /// A snapshot that is not what it seemed is passed over for another, or for none.
    func make(
        _ plan: RebuildPlan, isPartial: Bool, machine: Machine, vfs: String?, but excluded: Set<String> = [],
        progress: RebuildProgress
    ) throws -> MadeCatalogue {
        let files = machine.files
        try removeDatabase(LibraryDirectory.rebuiltName, in: root, files: files)
        // SQLite would make it readable to others.
        let file = try files.create(LibraryDirectory.rebuiltName, in: root)
        let other: (plan: RebuildPlan, excluded: Set<String>)
        do {
            let made = try fill(
                from: plan, isPartial: isPartial, at: machine.now(), files: files, vfs: vfs, progress)
            try files.sync(file)
            return made
        } catch LibraryError.journalUnfit where plan.passesOverSnapshots && !isPartial {
            other = (try planRebuild(files: files, vfs: vfs, trustingSnapshots: true), excluded)
        } catch {
            // Where it cannot be removed, the next rebuild does.
            try? removeDatabase(LibraryDirectory.rebuiltName, in: root, files: files)
            guard let snapshot = plan.snapshot, isDamage(error) else { throw error }
            // The snapshot was not what it seemed: an older one, or none, may do.
            machine.log(.warning, "a snapshot is damaged, and passed over: \(error)", ["name": snapshot])
            let passedOver = excluded.union([snapshot])
            other = (try planRebuild(files: files, vfs: vfs, but: passedOver), passedOver)
        }
        var next = other.plan
        next.take(plan.brought)
        next.wasCloudAsked = plan.wasCloudAsked
        guard isPartial || next.isComplete else { throw whatIsLacking(next) }
        return try make(
            next, isPartial: isPartial, machine: machine, vfs: vfs, but: other.excluded, progress: progress)
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
    ) throws -> MadeCatalogue {
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
        var lines = JournalLines(
            JournalReader(files: files, directory: journal), plan.runs, brought: plan.brought.map(\.line))
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
        return MadeCatalogue(
            plan: plan, skippedRequests: skipped, lostChanges: try fresh.lostChangeCount(),
            unsettledChanges: try unsettledCount(fresh, files: files), contents: try fresh.counts())
    }
}
