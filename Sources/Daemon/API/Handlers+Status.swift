import Cloud
import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// The truth in one answer: what is safe, what waits, what needs a person.
extension LibraryService {
    /// Made in one turn of one reading thread, and without the library's and the engine's: both may be at the disk.
    func status() async throws -> StatusReport {
        try await read { catalogue in
            try library.directory.requireInPlace(machine.files)
            cloud?.lookAtPlace()
            return try catalogue.reading { try self.status(in: catalogue) }
        }
    }

    /// A disk that has not so much above its reserve is full: photos are larger.
    private static let room: Int64 = 1 << 20

    private func status(in catalogue: Catalogue) throws -> StatusReport {
        let engine = importing.status
        let contents = try catalogue.contentCounts()
        let deletion = try deletionStatus(engine.heldDeletions, in: catalogue)
        var facts = StatusFacts(
            engine: engine, assets: try catalogue.assetCount(), unsound: contents.unsound, waiting: waitingCounts,
            sources: Dictionary(
                try catalogue.sourceCounts().map { ($0.outcome.rawValue, $0.count) }, uniquingKeysWith: +),
            journalFailure: journal.state.failure, isReadOnly: library.isReadOnly,
            orphans: try knownOrphans.count(in: catalogue), reloadFailure: folderRules.failure,
            snapshotFailure: snapshots.state.failure)
        facts.unsafeAssets = contents.unsound == 0 ? 0 : try catalogue.unsafeAssetCount()
        facts.unsafeAssets += try isCloudAway ? catalogue.inCloudAssetCount() : doubtedAssets(in: catalogue)
        // One that is counted for two of its originals is one.
        facts.unsafeAssets = min(facts.unsafeAssets, facts.assets)
        facts.held = deletion.needsConfirmation
        facts.library = try libraryProblems(orphans: facts.orphans)
        facts.isCatalogueChecked = library.inspection.hasPassed
        let cloudReport = try cloudReport(in: catalogue)
        (facts.lost, facts.doubts) = (cloudReport.lostCount, cloudReport.doubtCount)
        facts.doubtWait = cloud?.tier.doubtWait() ?? .zero
        facts.isStoreGivenUp = cloud?.state.update { $0.isAdopted } ?? false
        facts.cloudProblem = cloudProblem(cloudReport)
        (facts.mirrorProblem, facts.mirrorDamage) =
            cloud?.state.update { ($0.mirrorProblem, StatusProblem(damagedHistory: $0.damaged)) } ?? (nil, nil)
        facts.isDiskFull = (try? library.directory.originals.hasRoom(for: Self.room)) == false
        facts.unremoved = try StatusProblem(unremoved: library.unremoved(in: catalogue), in: library.directory.path)
        facts.unclaimed = StatusProblem(unclaimed: cloudReport.unclaimedCount)
        let problems = facts.problems
        return StatusReport(
            summary: facts.summary(problems), isDegraded: !problems.isEmpty, problems: problems,
            version: Release.version,
            library: printable(library.directory.path), libraryIdentifier: library.directory.identifier,
            uptimeSeconds: Int((machine.uptime() - started).components.seconds), assetCount: facts.assets,
            originalCount: contents.all, originalByteCount: contents.byteCount, orphanCount: facts.orphans,
            token: library.feed.newest, journaledToken: journal.state.token, waiting: facts.waiting,
            sources: facts.sources, isScanning: engine.scannedEntries != nil, watches: watcher.status.watches,
            overflows: engine.overflows, watcherRestarts: engine.watcherRestarts, deletion: deletion,
            cloud: CloudStatus(cloudReport), folders: try rows(of: engine.folders, in: catalogue),
            snapshotDate: snapshots.state.newest, rebuilt: recovery.rebuilt?.sentence,
            facts: try factsStatus(in: catalogue))
    }

    /// Whether what is in the cloud alone cannot be had now, as far as is known: then nobody can tell that it is safe.
    private var isCloudAway: Bool {
        guard let cloud else { return true }
        let state = cloud.state.update { $0 }
        let isDisbelieved = !state.isStoreKnown && state.mirrorFailure != nil
        return cloud.store.faults.isOffline || isDisbelieved || state.obstacle?.isOutage == true
    }

    /// Assets whose only copy the store has denied once.
    private func doubtedAssets(in catalogue: Catalogue) throws -> Int {
        let doubted = try cloud?.tier.doubtedOriginals.filter { hash in
            let version = try catalogue.version(of: hash)
            return version?.residency == .inCloud && version?.condition == .sound
        }
        return try Set(doubted ?? []).reduce(into: Set()) { assets, hash in
            assets.formUnion(try catalogue.assetsHaving(hash).filter { $0.state == .live }.map(\.asset))
        }.count
    }

    private func cloudProblem(_ report: CloudReport) -> StatusProblem? {
        if let cloudFailure { return cloudFailure.problem }
        guard let count = report.residencies["inCloud"]?.count, count > 0 else {
            return displacement(report) ?? obstacle(report)
        }
        let originals = counted(count, "original", one: "is", many: "are")
        if cloud == nil { return StatusProblem(withoutCloud: count) }
        if report.simulation?.isOffline != true, let why = cloud?.silence {
            return StatusProblem(
                what: "\(originals) in the cloud alone, and it does not answer: \(why)",
                fix: cloud?.standstill?.fix ?? "albumctl cloud status")
        }
        guard report.simulation?.isOffline == true else {
            return obstacle(report) ?? StatusProblem(withoutRoom: cloud?.state.update { $0.round.withoutRoom } ?? 0)
        }
        return StatusProblem(
            what: "\(originals) in the cloud alone, and it is offline", fix: "albumctl cloud simulate --online")
    }

    /// A directory that went does not come back by itself, and copies should be in it.
    private func displacement(_ report: CloudReport) -> StatusProblem? {
        guard let cloud, cloud.state.update({ $0.isOutOfPlace }), report.residencies["both"] != nil else { return nil }
        return cloud.standstill.map { StatusProblem(what: $0.what, fix: $0.fix, kind: "cloudObstacle") }
    }

    /// What uploads and the history meet for long, where anything is to go there.
    private func obstacle(_ report: CloudReport) -> StatusProblem? {
        guard let cloud, cloud.isNeeded(report) else { return nil }
        return StatusProblem(obstacle: cloud.state.update { $0.obstacle })
    }

    private var waitingCounts: [String: Int] {
        Dictionary(importing.board.reasonCounts().map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
    }
}

/// What the summary and the problems follow from.
///
/// Pure.
struct StatusFacts {
    var engine: EngineStatus
    var assets: Int
    var unsound: Int
    /// Live assets of which a version is missing, corrupt or unreadable.
    var unsafeAssets = 0
    /// Of the unsound originals those that neither the disk nor the cloud has.
    var lost = 0
    /// Copies that the store denied once.
    var doubts = 0
    /// How long until the first of them is asked for again.
    var doubtWait = Duration.zero
    /// Whether the store that had them was given up for this one.
    var isStoreGivenUp = false
    /// Why originals that are in the cloud alone cannot be had.
    var cloudProblem: StatusProblem?
    /// Why the history is not kept in the store, where that does not pass.
    var mirrorProblem: StatusProblem?
    /// What of the history in the store is damaged, and could not be mended.
    var mirrorDamage: StatusProblem?
    /// Whether the next photo would have to wait.
    var isDiskFull = false
    /// Originals that were deleted for good and are still there.
    var unremoved: StatusProblem?
    /// Originals in the store that no photo has.
    var unclaimed: StatusProblem?
    var waiting: [String: Int]
    var sources: [String: Int]
    var journalFailure: StatusProblem?
    var isReadOnly: Bool
    var orphans: Int
    /// Why the configuration is not the one that is in the file now.
    var reloadFailure: StatusProblem?
    var snapshotFailure: StatusProblem?
    /// Deletions that wait for a person.
    var held: [HeldRow] = []
    /// What is wrong with all of it.
    var library = LibraryProblems()
    /// Until it is, nothing is called safe.
    var isCatalogueChecked = true

    var problems: [StatusProblem] {
        var problems =
            [reloadFailure, snapshotFailure, cloudProblem, mirrorProblem, mirrorDamage, unclaimed].compactMap { $0 }
            + engine.folders.flatMap(problems(of:))
            + held.map(\.problem)
        func add(_ condition: Bool, _ what: @autoclosure () -> String, _ fix: String) {
            if condition { problems.append(StatusProblem(what: what(), fix: fix)) }
        }
        let (blocked, failed) = (sources["blocked"] ?? 0, sources["failed"] ?? 0)
        add(isReadOnly, "the disk failed: nothing is imported", "check the disk, then systemctl restart albumd")
        problems += library.problems
        if lost > 0 { problems.append(StatusProblem(lost: lost)) }
        add(
            doubts > 0, "the cloud denied \(counted(doubts, "copy")), and is asked again \(inMinutes(doubtWait))",
            doubtFix)
        add(
            unsound > lost,
            "\(counted(unsound - lost, "original", one: "is", many: "are")) missing, corrupt or unreadable",
            library.history.unmendable == unsound ? Self.fixOfUnmendable : "albumctl repair")
        let held = heldBack
        problems += held
        if let error = engine.unwritten, engine.pause == nil {
            add(true, "what became of files cannot be written down, deletions among it: \(error)", libraryAdvice(error))
        }
        add(held.isEmpty && engine.pause != nil, "imports are paused: \(engine.pause ?? "")", "albumctl pending")
        add(
            isDiskFull && waiting[Reason.noSpace.rawValue] == nil,
            "the library's disk is full: what comes next will wait (noSpace)", freeSomeSpace)
        if let journalFailure { problems.append(journalFailure) }
        if let unremoved { problems.append(unremoved) }
        add(blocked > 0, "\(counted(blocked, "file", one: "is", many: "are")) blocked", "albumctl pending")
        add(failed > 0, "\(counted(failed, "file")) failed", "albumctl pending, then albumctl retry --all")
        return problems
    }

    private static let fixOfUnmendable =
        "albumctl save FILE of a backup or a card, which stores the same bytes again: a repair found them nowhere else "
        + "(albumctl repair looks once more, and names them)"

    /// Absence is evidence only after a scan without any error (RULES R32).
    private func unfollowed(_ folder: FolderStatus) -> String {
        folder.rule.onSourceDeleted == .trash ? "; until it can, no deletion that a scan finds is followed there" : ""
    }

    /// One of them by name, what is said of it, and how many there are besides.
    private func first<Value>(of found: [PathBytes: Value]) -> (path: String, value: Value, more: String)? {
        guard let (path, value) = found.min(by: { $0.key < $1.key }) else { return nil }
        return (printable(path.bytes), value, found.count > 1 ? " (and \(found.count - 1) more)" : "")
    }

    private func problems(of folder: FolderStatus) -> [StatusProblem] {
        let (name, word) = (printable(folder.rule.path), shellWord(path: folder.rule.path))
        var problems: [StatusProblem] = []
        if let fix = folder.standing.fix(folder.rule.path), let why = folder.standing.detail {
            problems.append(StatusProblem(what: "folder '\(name)' is \(folder.standing.word): \(why)", fix: fix))
        }
        if folder.isOtherDirectory, folder.rule.onSourceDeleted == .trash {
            problems.append(
                StatusProblem(
                    what: "folder '\(name)' is another directory than before: its deletions are not followed",
                    fix: "albumctl folder confirm \(word)"))
        }
        if case .polling(let why) = folder.watching, folder.rule.watch == .inotify || why.contains("inotify") {
            problems.append(
                StatusProblem(what: "folder '\(name)' is polled: \(why)", fix: "albumctl folder check \(word)"))
        }
        if let (path, why, more) = first(of: folder.unreadable) {
            problems.append(
                StatusProblem(
                    what: "'\(name)/\(path)' cannot be read: \(why)\(more)\(unfollowed(folder))",
                    fix: "albumctl folder check \(word)"))
        }
        if let (path, why, more) = first(of: folder.stranded) {
            problems.append(
                StatusProblem(
                    what: "'\(name)/\(path)' is a file whose removal was cut off: \(why)\(more)",
                    fix:
                        "let albumd write there, as albumctl folder check \(word) tells; it gives it its name back by itself"
                ))
        }
        if let (path, reason, more) = first(of: folder.beyond) {
            problems.append(
                StatusProblem(
                    what: "'\(name)/\(path)' is not imported: \(reason.explanation ?? reason.rawValue)\(more)",
                    fix: "move it further up in the folder, or shorten the names of its directories"))
        }
        if let problem = StatusProblem(mountsIn: folder) { problems.append(problem) }
        return problems
    }

    func summary(_ problems: [StatusProblem]) -> String {
        let count = waiting.values.reduce(0, +)
        let isScanning = engine.folders.contains { $0.isScanning || $0.isScanOwed && $0.standing == .online }
        let waits =
            count > 0
            ? counted(count, "file", one: "waits", many: "wait")
            : isScanning ? "a scan is running" : owesDeletionLook ? "no new file waits" : "nothing waits"
        if let first = problems.first {
            let some = unsafeAssets == 0 || !isCatalogueChecked ? "" : "\(assets - unsafeAssets) of "
            let all = counted(assets, "asset", one: "is", many: "are")
            let safe = isCatalogueChecked ? "safe" : "being checked"
            return "\(some)\(all) \(safe); \(waits)\(deletions); \(first.what). Next: \(first.fix)"
        }
        let all = counted(assets, "asset")
        guard isCatalogueChecked else { return "The catalogue is being checked: \(all); \(waits)\(deletions)." }
        return "Everything is safe: \(all); \(waits)\(deletions)."
    }

    /// A store that was given up is not mended: then only what others have can help.
    private var doubtFix: String {
        let (then, saved) = (
            "albumd asks by itself then, uploads again what is here, and says of the rest that it is lost",
            "albumctl save of the same file, from a backup or a card, brings it back at once"
        )
        return isStoreGivenUp
            ? "\(saved); \(then): \(lostOriginalFix)"
            : "albumctl cloud verify, where the cloud is mended; else \(then); \(saved)"
    }

    /// Some that were held before a restart may have to be confirmed once they are found again.
    private var owesDeletionLook: Bool { engine.folders.contains(where: \.owesDeletionLook) }
    private var deletions: String { owesDeletionLook ? "; deletions have not been looked for yet" : "" }
}
