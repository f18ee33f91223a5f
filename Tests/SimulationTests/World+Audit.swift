import Cloud
import EngineSupport
import PhotoModel
import PhotoStore
import Platform
import TestSupport

/// `verify` and `repair`, as the daemon does them, on this thread.
extension World {
    /// Every original is looked at and, where the verification is a deep one, read; then the marks say what is so.
    func verify(isDeep: Bool) throws {
        guard !isDown else { return }
        // What cannot be read now is written down as corrupt, too: then nobody could tell what is so.
        bench.simulation.files.forgetFaults()
        guard try engineRuns({ try lookAtOriginals { isDeep || $0.condition != .sound } }) else { return }
        for version in try localVersions() {
            let found = stored(version.content)
            let isUnread = !isDeep && version.condition == .sound && found == .corrupt
            guard version.condition == found || isUnread && hasSize(of: version.content) else {
                throw Violation(
                    rule: "R5", "\(version.content.hash.hexadecimal) is \(found), and marked \(version.condition)")
            }
        }
    }

    private func localVersions() throws -> [Version] {
        try bench.catalogue().contents(after: nil, limit: .max).filter { $0.residency != .inCloud }
    }

    func hasSize(of content: Content) -> Bool {
        (try? bench.program.read(path(of: content).bytes))?.count == Int(content.byteCount)
    }

    private func lookAtOriginals(reading: (Version) -> Bool) throws {
        let originals = try library().directory.originals
        let looks = try localVersions().compactMap { version -> (content: Content, look: StoredBytes)? in
            let look = originals.look(at: version.content, reading: reading(version))
            return look.finding == .sound && version.condition == .sound ? nil : (version.content, look)
        }
        _ = try library().onThread { try $0.record(looks) }
    }

    /// What has its bytes anywhere comes back; what has not is said.
    func repair() throws {
        guard !isDown else { return }
        let mendable = try mendable()
        var outcomes: [ContentHash: Mending] = [:]
        let isDone = try engineRuns {
            try lookAtOriginals { $0.condition != .sound }
            for version in try bench.catalogue().unsoundContents(after: nil, limit: .max) {
                outcomes[version.content.hash] = try mend(version.content)
            }
            try repairHistory()
            try repairJournal()
        }
        guard isDone else { return }
        for (hash, outcome) in outcomes { try checkMending(hash, outcome, isMendable: mendable.contains(hash)) }
        try checkHistory()
    }

    /// What nothing here has any more the cloud is asked for.
    private func mend(_ content: Content) throws -> Mending {
        let mending = try Repairer(library()).mend(content, isDryRun: false)
        guard case .lost = mending, let tier = cloud?.tier,
            try bench.catalogue().version(of: content.hash)?.isMendedByFetch == true
        else { return mending }
        do {
            try tier.fetch(content, requestedBy: .person)
            return .mended(from: PathBytes("the cloud"))
        } catch let error as TierError {
            return .failed(from: PathBytes("the cloud"), why: "\(error)")
        }
    }

    /// Contents whose original is damaged, and of which something has the very bytes: a file that a row of a source
    /// names, one of the library, or the store.
    func mendable() throws -> Set<ContentHash> {
        let roots = Dictionary(uniqueKeysWithValues: try bench.catalogue().folders().map { ($0.folder, $0.path) })
        let spare = try spareHashes()
        try forgetMended()
        return try damage.originals.filter { hash in
            let paths = try bench.catalogue().sources(having: hash).compactMap { source in
                roots[source.key.folder]?.appending(source.key.path.bytes)
            }
            return try isOnlyThere(hash) || spare.contains(hash) || paths.contains { self.hash(at: $0) == hash }
        }
    }

    private func isOnlyThere(_ hash: ContentHash) throws -> Bool {
        guard let version = try bench.catalogue().version(of: hash), version.residency == .both else { return false }
        return try isInStore(version.content)
    }

    /// An import of the same bytes mends, too; and what is in the cloud or was purged has no original here.
    private func forgetMended() throws {
        damage.originals = try damage.originals.filter { hash in
            guard let version = try bench.catalogue().version(of: hash), version.residency != .inCloud else {
                return false
            }
            return stored(version.content) != .sound
        }
    }

    private func spareHashes() throws -> Set<ContentHash> {
        let directory = PathBytes(bench.libraryPath).appending(Array("set-aside".utf8))
        let names = try bench.machine.files.list(try bench.machine.files.openDirectory(directory.bytes)).map(\.name)
        // By its name: what stands there with another hash was never that content.
        return Set(
            names.compactMap { name in
                hash(at: directory.appending(name)).flatMap { name.starts(with: Array($0.hexadecimal.utf8)) ? $0 : nil }
            })
    }

    private func hash(at path: PathBytes) -> ContentHash? {
        (try? bench.program.read(path.bytes)).flatMap(SampleMedia.hash)
    }

    private func checkMending(_ hash: ContentHash, _ outcome: Mending, isMendable: Bool) throws {
        guard let version = try bench.catalogue().version(of: hash) else { return }
        let found = version.residency == .inCloud ? nil : stored(version.content)
        switch outcome {
        case .sound, .mended:
            guard found != nil, found != .sound else { break }
            throw Violation(rule: "R5", "\(hash.hexadecimal) was repaired, and is \(outcome)")
        case .lost where isMendable && found != nil:
            throw Violation(rule: "I1", "\(hash.hexadecimal) could be repaired, and was not")
        case .lost, .failed, .stopped, .mendable: break
        }
        if found == .sound { damage.originals.remove(hash) }
        // Where it failed half-way, what is missing may still be called corrupt; never is it called sound.
        let isTold: Bool = if case .failed = outcome { version.condition != .sound } else { found == version.condition }
        guard found == nil || isTold else {
            throw Violation(rule: "R5", "after a repair \(hash.hexadecimal) is marked \(version.condition), and is not")
        }
    }

    private var journalReader: JournalReader {
        get throws { JournalReader(files: bench.machine.files, directory: try library().directory.journal) }
    }

    /// Changes that journal and history do not have alike, as far as the journal is written.
    private func historyFaults() throws -> [HistoryFault] {
        var (audit, isMore) = (try HistoryAudit(journalReader, upTo: journal?.catchUp() ?? 0), true)
        while isMore { (audit, isMore) = try audit.advanced(in: bench.catalogue()) }
        return audit.faults
    }

    private func repairHistory() throws {
        for fault in try historyFaults() {
            switch fault.side {
            case .history: _ = try library().onThread { try $0.mendHistory(fault) }
            case .journal:
                _ = try journal?.restore([fault.token...fault.token])
                _ = try library().directory.blankOut(fault, files: bench.machine.files)
            case .unknown: break
            }
        }
    }

    private func repairJournal() throws {
        let gaps = try JournalAudit(journalReader, upTo: journal?.catchUp() ?? 0).gaps
        if !gaps.isEmpty { _ = try journal?.restore(gaps) }
    }

    /// The journal has every change again, and history and journal say the same.
    private func checkHistory() throws {
        let newest = try journal?.catchUp() ?? 0
        if let fault = try historyFaults().first {
            throw Violation(rule: "R49", "after a repair the \(fault.side) of change \(fault.token) is still wrong")
        }
        let gaps = try JournalAudit(journalReader, upTo: newest).gaps
        guard gaps.isEmpty else { throw Violation(rule: "R49", "after a repair the journal lacks \(gaps)") }
        (damage.isJournalDamaged, damage.isHistoryDamaged) = (false, false)
    }
}
