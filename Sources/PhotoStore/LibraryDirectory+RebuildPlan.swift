import Platform
import SQLite

/// What a lost catalogue would be made anew from.
extension LibraryDirectory {
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
            let isBetter = plan.newestToken >= snapshot?.token ?? 0 && plan.lostTokens.isEmpty
            if plan.isComplete, isBetter || hasWrongRows(files: files) { return plan }
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
        plan.damaged = lines.damaged
        plan.lostTokens = lines.runs.filter(\.isLost).map(\.tokens)
        plan.missing = lines.missing(after: plan.snapshotToken)
        plan.isBlank = try plan.snapshot == nil && plan.lineCount == 0 && hasContents(files: files)
        return plan
    }

    private func hasWrongRows(files: any FileVerbs) -> Bool {
        AuditMemory.read(from: self, files: files).history?.rows != nil
    }

    /// Why a rebuild would not be done that gives nothing up; nil where it would.
    func refusal(of plan: RebuildPlan) -> LibraryError? {
        guard !plan.isComplete else { return nil }
        return plan.isBlank ? .catalogueMissing(path: LibraryDirectory.display(path)) : whatIsLacking(plan)
    }

    /// Why a plan is not complete.
    func whatIsLacking(_ plan: RebuildPlan) -> LibraryError {
        plan.conflict.map { .journalConflict($0) } ?? .changesLost(plan.missingText, wasCloudAsked: plan.wasCloudAsked)
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

    func snapshotPath(_ name: String) -> String { "\(LibraryDirectory.display(path))/snapshots/\(name)" }
}
