import FoundationEssentials
import Glibc
import Media
import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// One batch: staged on all cores, then published and committed on the library's thread.
extension ImportEngine {
    var currentRulesVersion: Int { MediaRecogniser.rulesVersion }

    /// Returns the sources that move mode has to remove now.
    func importBatch(_ batch: [Candidate], roots: inout RootsOfStep) throws -> [Source] {
        let answers = try stage(batch, roots: &roots)
        var staged: [(candidate: Candidate, source: StagedSource)] = []
        var decided: [(candidate: Candidate, source: Source)] = []
        for (candidate, answer) in zip(batch, answers) {
            switch answer {
            case .staged(let source): staged.append((candidate, source))
            case .decided(let source): decided.append((candidate, source))
            case .later(let reason, let detail, let pause): later(candidate, reason, detail, pause, into: &decided)
            case .gone:
                try noteGone([candidate.key])
                board.update { $0.drop(candidate.key) }
            }
        }
        defer {
            for item in staged {
                item.source.staged.staged.discard()
            }
        }
        guard !staged.isEmpty || !decided.isEmpty else { return [] }
        try machine.reach(.batchStaged)
        guard let outcomes = try commit(staged, decided) else { return [] }
        for candidate in decided.map(\.candidate) + staged.map(\.candidate) {
            board.update { $0.finish(candidate.key) }
        }
        if !staged.isEmpty { pause.end() }
        countImported(outcomes.count { $0.outcome.isMapped })
        return outcomes.filter { $0.outcome.isMapped && roots.folder(of: $0.key.folder)?.rule.mode == .move }
    }

    private func stage(_ batch: [Candidate], roots: inout RootsOfStep) throws -> [Staging] {
        let now = machine.uptime()
        let work = try batch.map { candidate in
            (candidate, try roots.root(of: candidate.key.folder), roots.folder(of: candidate.key.folder)?.registration)
        }
        let results = Mutex([Result<Staging, any Error>?](repeating: nil, count: batch.count))
        machine.concurrently(batch.count) { [stager] index in
            let (candidate, root, registration) = work[index]
            let result = Result<Staging, any Error> {
                guard let root else { return .later(.folderOffline, detail: nil, pause: .backOff) }
                return try stager.stage(candidate, in: root, fileSystem: registration?.fileSystem, now: now)
            }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { $0 }.map { result in
            guard let result else { preconditionFailure("every index of a batch was run") }
            return try result.get()
        }
    }

    /// After a few tries a fault of the file's own is an outcome; it is tried again with each full scan.
    private func later(
        _ candidate: Candidate, _ reason: Reason, _ detail: String?, _ kind: Staging.Pause,
        into decided: inout [(candidate: Candidate, source: Source)]
    ) {
        if reason == .ioError, candidate.attempts >= 2 {
            decided.append((candidate, Source(key: candidate.key, outcome: .failed, reason: reason, detail: detail)))
            return
        }
        let now = machine.uptime()
        let pause: Duration
        switch kind {
        case .settle: pause = candidate.window
        case .longWindow: pause = max(candidate.since + SettleTracker.longWindow - now, candidate.window)
        case .backOff: pause = backOff(candidate.attempts)
        case .disk: pause = self.pause.begin(reason, detail ?? reason.rawValue, now: now)
        }
        board.update { $0.giveBack(candidate.key, reason: reason, detail: detail, after: pause, now: now) }
    }

    func backOff(_ attempts: Int) -> Duration { .seconds(min(2 << min(attempts, 6), 60)) }

    /// Nil where the disk refused: the batch is given back, nothing of it is in the library.
    private func commit(
        _ staged: [(candidate: Candidate, source: StagedSource)], _ decided: [(candidate: Candidate, source: Source)]
    ) throws -> [Source]? {
        let commit = ImportCommit(
            albumRules: albumRules, isVacant: vacancy(), makeUUID: machine.makeUUID)
        let batch = staged.map { (source: $0.source, story: story(of: $0.candidate, $0.source.lease)) }
        let decisions = decided.map { (source: $0.source, story: story(of: $0.candidate, nil)) }
        do {
            return try library.onThread { library in
                try library.publish(batch.map(\.source.staged), origin: "import") { change in
                    for (source, story) in decisions {
                        try change.record(source)
                        change.tell("\(story); \(source.outcome.rawValue) (\(source.reason.rawValue))", of: source.key)
                    }
                    return try commit.perform(batch, in: &change)
                }.value
            }
        } catch let error as FileError {
            giveBack(staged.map(\.candidate) + decided.map(\.candidate), error)
            return nil
        } catch  where PhotoLibrary.isFull(error) {
            giveBack(
                staged.map(\.candidate) + decided.map(\.candidate), FileError(code: ENOSPC, verb: "write the catalogue")
            )
            return nil
        } catch let error as LibraryError {
            guard case .readOnly = error else { throw error }
            giveBack(
                staged.map(\.candidate) + decided.map(\.candidate), FileError(code: EROFS, verb: error.description))
            return nil
        }
    }

    private func giveBack(_ candidates: [Candidate], _ error: FileError) {
        let now = machine.uptime()
        let reason: Reason = error.isNoSpace ? .noSpace : error.isReadOnly ? .libraryReadOnly : .ioError
        let pause = self.pause.begin(reason, error.description, now: now)
        machine.log(.error, "imports are paused: \(error)", ["candidates": String(candidates.count)])
        for candidate in candidates {
            board.update {
                $0.giveBack(candidate.key, reason: reason, detail: error.description, after: pause, now: now)
            }
        }
    }

    private var albumRules: [UUID: AlbumRule] {
        let rules = folders.values.compactMap { folder in folder.albumRule.map { ($0.folder, $0) } }
        return Dictionary(rules, uniquingKeysWith: { first, _ in first })
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
