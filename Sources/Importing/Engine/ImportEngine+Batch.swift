import FoundationEssentials
import Media
import PhotoModel
import PhotoStore
import Platform

/// What became of the candidates of a batch before its commit.
private struct JudgedBatch {
    var staged: [(candidate: Candidate, source: StagedSource)] = []
    var decided: [(candidate: Candidate, source: Source)] = []
    /// Their bytes are what they were.
    var unchanged: [(candidate: Candidate, evidence: SourceEvidence, lease: Lease)] = []

    var candidates: [Candidate] {
        decided.map(\.candidate) + staged.map(\.candidate) + unchanged.map(\.candidate)
    }
}

/// One batch: staged on all cores, then published and committed on the library's thread.
extension ImportEngine {
    var currentRulesVersion: Int { MediaRecogniser.rulesVersion }

    /// How many sources are removed together at least, while there are more to import.
    private static let removalCount = 32

    /// Each batch is staged while the one before it is committed, and the originals of those before are proven, and their
    /// sources removed, then: the disk is waited for meanwhile.
    ///
    /// What has become due by then is taken along, so that no core rests between the batches.
    func importBatches(of step: inout ImportStep) throws {
        var removals = try [beginRemoval(of: step.takeLeftovers(), roots: &step.roots)]
        var begun = try beginBatch(of: &step)
        while let (batch, finish) = begun {
            if step.batches.isEmpty { try takeDue(into: &step, inHand: batch.count) }
            let answers = try finish()
            begun = try beginBatch(of: &step)
            let sources = try importBatch(batch, answers, roots: &step.roots)
            if removals.reduce(0, { $0 + $1.sources.count }) >= Self.removalCount {
                try finishRemovals(removals, roots: &step.roots)
                removals = []
            }
            removals.append(try beginRemoval(of: sources + step.takeLeftovers(), roots: &step.roots))
        }
        try finishRemovals(removals, roots: &step.roots)
    }

    private func beginBatch(
        of step: inout ImportStep
    ) throws -> (batch: [Candidate], finish: () throws -> [Staging])? {
        guard let batch = step.takeBatch() else { return nil }
        return (batch, try beginStaging(batch, roots: &step.roots))
    }

    /// Returns the sources that have to be removed now.
    private func importBatch(
        _ batch: [Candidate], _ answers: [Staging], roots: inout RootsOfStep
    ) throws -> [Source] {
        let judged = try judge(batch, answers: answers)
        defer {
            for item in judged.staged {
                item.source.staged.staged.discard()
            }
        }
        guard !judged.candidates.isEmpty else { return [] }
        try machine.reach(.batchStaged)
        guard let (imported, renewed, refused) = try commit(judged) else { return [] }
        for candidate in judged.candidates where refused[candidate.key] == nil && imported.orphans[candidate.key] == nil
        {
            board.update { $0.finish(candidate.key) }
        }
        noteCompanions(imported, judged.staged.map(\.candidate))
        let outcomes = imported.outcomes
        try refuse(judged.staged.map(\.candidate), refused)
        for old in outcomes.flatMap(\.former) { departures.forget(old) }
        let known = Set(renewed.map(\.key))
        for item in judged.unchanged where !known.contains(item.candidate.key) { lookAgain(item.candidate.key) }
        if !judged.staged.isEmpty { pause.end() }
        countImported(outcomes.count { $0.source.outcome.isMapped })
        return try (outcomes.map(\.source) + renewed).filter { row in
            try roots.folder(of: row.key.folder).map { try isToRemove(row, $0.rule) } ?? false
        }
    }

    private func judge(_ batch: [Candidate], answers: [Staging]) throws -> JudgedBatch {
        var judged = JudgedBatch()
        for (candidate, answer) in zip(batch, answers) {
            switch answer {
            case .staged(let source): judged.staged.append((candidate, source))
            case .decided(let source):
                if source.reason == .permission { logDenied(source.key, nil) }
                judged.decided.append((candidate, source))
            case .unchanged(let evidence, let lease): judged.unchanged.append((candidate, evidence, lease))
            case .later(let reason, let detail, let pause):
                later(candidate, reason, detail, pause, into: &judged.decided)
            case .gone: try vanished(candidate)
            }
        }
        return judged
    }

    /// What it returns waits for the answers, in the order of the candidates.
    private func beginStaging(_ batch: [Candidate], roots: inout RootsOfStep) throws -> () throws -> [Staging] {
        let now = machine.uptime()
        let work = try batch.map { candidate in
            (
                candidate, try roots.root(of: candidate.key.folder),
                roots.folder(of: candidate.key.folder)?.registration?.fileSystem, try safeEvidence(of: candidate)
            )
        }
        let results = Monitor([Result<Staging, any Error>?](repeating: nil, count: batch.count))
        let finish = machine.beginLoop(batch.count) { [stager] index in
            let (candidate, root, fileSystem, known) = work[index]
            let result = Result<Staging, any Error> {
                guard let root else { return .later(.folderOffline, detail: nil, pause: .backOff) }
                return try stager.stage(candidate, in: root, fileSystem: fileSystem, known: known, now: now)
            }
            results.update { $0[index] = result }
        }
        return {
            finish()
            return try results.update { $0 }.map { result in
                guard let result else { preconditionFailure("every index of a batch was run") }
                return try result.get()
            }
        }
    }

    /// What a source is known by whose bytes need no copy if they are still the same: they are a live asset's, and the
    /// original is there.
    ///
    /// Any doubt gives nil, and the bytes are stored anew (RULES R5).
    private func safeEvidence(of candidate: Candidate) throws -> SourceEvidence? {
        guard let status = candidate.status, let row = try reader.source(candidate.key), row.isPresent,
            let evidence = row.evidence, evidence.differsInChangeTimeAlone(from: SourceEvidence(status)),
            let hash = evidence.hash, let stored = try reader.version(of: hash), stored.condition == .sound,
            try row.localIdentifier.flatMap({ try reader.asset($0) })?.state == .live
        else { return nil }
        let original = try? machine.files.status(of: library.directory.originals.open(stored.content))
        return original?.byteCount == stored.content.byteCount ? evidence : nil
    }

    /// After a few tries a fault of the file's own is an outcome; it is tried again with each full scan.
    func later(
        _ candidate: Candidate, _ reason: Reason, _ detail: String?, _ kind: Staging.Pause,
        into decided: inout [(candidate: Candidate, source: Source)]
    ) {
        if reason == .ioError, kind != .disk, candidate.attempts >= 2 {
            decided.append((candidate, Source(key: candidate.key, outcome: .failed, reason: reason, detail: detail)))
            return
        }
        let now = machine.uptime()
        let pause: Duration
        switch kind {
        case .settle: pause = candidate.window
        case .longWindow: pause = max(candidate.since + SettleTracker.longWindow - now, candidate.window)
        case .backOff: pause = backOff(candidate.attempts)
        case .disk: pause = beginPause(reason, detail ?? reason.rawValue, now: now)
        }
        board.update { $0.giveBack(candidate.key, reason: reason, detail: detail, after: pause, now: now) }
    }

    func backOff(_ attempts: Int) -> Duration { .seconds(min(2 << min(attempts, 6), 60)) }

    private typealias Committed = (
        imported: ImportedBatch, renewed: [Source], refused: [SourceKey: FileError]
    )

    /// Nil where the disk refused: the batch is given back, nothing of it is in the library.
    private func commit(_ judged: JudgedBatch) throws -> Committed? {
        let commit = ImportCommit(
            albumRules: albumRules, movingFolders: movingFolders, isVacant: vacancy(), creationDates: creationDates,
            makeUUID: machine.makeUUID, readings: try read(judged.staged.map(\.source)),
            impatient: Set(judged.staged.map(\.candidate).filter { patience(with: $0) <= .zero }.map(\.key)))
        let batch = judged.staged.map {
            BatchItem(source: $0.source, story: story(of: $0.candidate, $0.source.lease))
        }
        let decisions = judged.decided.map { (source: $0.source, story: story(of: $0.candidate, nil)) }
        let renewals = judged.unchanged.map {
            (key: $0.candidate.key, evidence: $0.evidence, story: story(of: $0.candidate, $0.lease))
        }
        do {
            return try library.onThread { library in
                try library.publishEach(batch.map(\.source.staged), origin: "import") { change, refused in
                    for (source, story) in decisions {
                        try change.record(source)
                        change.tell("\(story); \(source.outcome.rawValue) (\(source.reason.rawValue))", of: source.key)
                    }
                    let renewed = try renewals.compactMap { item in
                        let row = try change.renew(item.evidence, of: item.key)
                        if row != nil { change.tell("\(item.story); its bytes are the same as before", of: item.key) }
                        return row
                    }
                    let stored = batch.filter { refused[$0.source.staged.content.hash] == nil }
                    return (
                        imported: try commit.perform(stored, in: &change), renewed: renewed,
                        refused: refusals(of: batch.map(\.source), refused)
                    )
                }.value
            }
        } catch let error as LibraryError where error.isOfEmptiedOriginals {
            giveBack(judged.candidates, .libraryReadOnly, because: "\(error)")
            return nil
        } catch {
            guard let refusal = refusal(error) else { throw error }
            giveBack(judged.candidates, Reason(ofDisk: refusal), because: refusal.ofLibrary)
            return nil
        }
    }

    private var albumRules: [UUID: AlbumRule] {
        let rules = folders.values.compactMap { folder in folder.albumRule.map { ($0.folder, $0) } }
        return Dictionary(rules, uniquingKeysWith: { first, _ in first })
    }

    private var creationDates: [UUID: FolderRule.CreationDate] {
        let rules = folders.values.compactMap { folder in
            folder.registration.map { ($0.folder, folder.rule.creationDate) }
        }
        return Dictionary(rules, uniquingKeysWith: { first, _ in first })
    }

    private var movingFolders: Set<UUID> {
        Set(folders.values.filter { $0.rule.mode == .move }.compactMap { $0.registration?.folder })
    }

    /// Whether the file of a source is no longer at its path.
    ///
    /// In a folder that is not online nothing can be said, and that is no.
    private func vacancy() -> @Sendable (Source) -> Bool {
        let known = folders.values.compactMap(\.registration)
        let registrations = Dictionary(known.map { ($0.folder, $0) }, uniquingKeysWith: { first, _ in first })
        return { [folderGuard, machine] source in
            guard let registration = registrations[source.key.folder],
                case .online(let root) = folderGuard.look(at: registration.path, known: registration)
            else { return false }
            return isVacant(source, beneath: root, files: machine.files)
        }
    }

    /// What `why` tells of the way to the decision.
    private func story(of candidate: Candidate, _ lease: Lease?) -> String {
        let waited = (machine.uptime() - candidate.firstSeen) / Duration.milliseconds(1)
        var parts = [
            "seen by \(candidate.sighting.rawValue)", counted(candidate.sightings, "sighting"),
            "waited \(Int(waited)) ms",
        ]
        if let lease {
            parts.append(lease == .granted ? "read lease granted" : "no lease: judged by its container and rest")
        }
        if candidate.attempts > 0 { parts.append("\(counted(candidate.attempts, "attempt")) before") }
        return parts.joined(separator: ", ")
    }
}
