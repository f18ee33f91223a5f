package import FoundationEssentials
package import PhotoModel
import PhotoStore
package import Platform

/// What a restore gave back.
package struct RestoreReport: Sendable, Equatable, Codable {
    package var library: UUID
    /// The newest change that the store had.
    package var token: Int64
    package var assets: Int
    package var albums: Int
    /// Originals that are in the cloud now.
    package var originals: Int
    /// Originals that the history says are in the store, which has them not, or other bytes; it is asked once more.
    package var denied: Int
    /// Originals that never came to the store: their assets are there, and their bytes are missing.
    package var missing: Int
    /// Changes of the history that no place has any more: those that were lost before this restore, too.
    package var lostChanges: Int
    /// Objects of the store that should have them, as far as this restore read them.
    package var damagedObjects: [String]
    /// Requests that could not be made again, since what they build on is lost.
    package var skippedRequests: Int
    /// The first of the denied and the missing, by name: of each at most so many as `mostNamed`.
    package var lacking: [LackingOriginal] = []

    package static let mostNamed = 1000

    private enum CodingKeys: CodingKey {
        case library, token, assets, albums, originals, denied, missing, lostChanges, damagedObjects, skippedRequests
    }

    /// Whether everything that the library had is there again.
    package var isWhole: Bool { denied + missing + lostChanges + skippedRequests == 0 }
}

/// An original whose asset came back, and whose bytes did not.
package struct LackingOriginal: Sendable, Equatable {
    package enum Reason: String, Sendable, Codable {
        /// The history says that the store has it, which denies that.
        case denied
        /// It never came to the store.
        case missing
    }

    package var reason: Reason
    package var hash: ContentHash
    package var asset: LocalIdentifier
    package var filename: PathBytes

    package init(reason: Reason, hash: ContentHash, asset: LocalIdentifier, filename: PathBytes) {
        (self.reason, self.hash, self.asset, self.filename) = (reason, hash, asset, filename)
    }
}

/// A library made anew in an empty directory from what the store has of it: every asset, identifier, album and mapping, all
/// in cloud.
package struct CloudRestore: Sendable {
    let store: any ObjectStore
    let machine: Machine
    /// Whether it goes on where the store lost a part of the history.
    private let isPartial: Bool

    package init(from store: any ObjectStore, isPartial: Bool = false, machine: Machine) {
        (self.store, self.isPartial, self.machine) = (store, isPartial, machine)
    }

    /// Blocks; nothing of a crash half-way is taken for a library, and the next restore goes on with it.
    package func restore(
        to path: [UInt8], executor: ThreadExecutor, vfs: String? = nil,
        progress: @escaping RestoreProgress = { _, _, _ in }
    ) throws -> RestoreReport {
        let identifier = try identifier()
        guard try !isMarkedOnly() else { throw MirrorError.empty }
        guard try isPartial || hasHistory() else { throw MirrorError.historyGone }
        let directory = try LibraryDirectory.open(path, identifier: identifier, isRestoring: true, machine: machine)
        let begun = Result { try begin(directory, identifier, vfs: vfs, progress: progress) }
        directory.release()
        let (loss, skipped) = try begun.get()
        let library = try PhotoLibrary.open(
            path, isRestoring: true, machine: machine, executor: executor, vfs: vfs,
            progress: { progress(.catalogue, Int64($0), Int64($1)) })
        defer { library.onThread { $0.close() } }
        var report = try settle(library, identifier, progress)
        (report.damagedObjects, report.skippedRequests) = (loss.objects, skipped)
        try library.directory.endRestore(files: machine.files)
        return report
    }

    /// Snapshot, journal and catalogue, where a restore before this has not made them yet.
    ///
    /// Nothing is lost silently: what the store lost of the history ends it, unless it is partial.
    private func begin(
        _ directory: LibraryDirectory, _ identifier: UUID, vfs: String?, progress: @escaping RestoreProgress
    ) throws -> (loss: HistoryLoss, skippedRequests: Int) {
        let isBegun = try directory.isBeingRestored(files: machine.files)
        guard try isBegun || directory.isBlank(machine: machine), directory.identifier == identifier else {
            throw MirrorError.notEmpty(path: String(decoding: directory.path, as: UTF8.self))
        }
        try directory.beginRestore(files: machine.files)
        guard try !directory.hasCatalogue(files: machine.files) else { return (HistoryLoss(), 0) }
        let snapshot = try restoreSnapshot(of: directory, progress)
        let loss = try restoreJournal(of: directory, after: snapshot, progress)
        do {
            let skipped = try directory.makeRestoredCatalogue(
                isPartial: isPartial, machine: machine, vfs: vfs,
                progress: { progress(.catalogue, Int64($0), Int64($1)) })
            return (loss, skipped)
        } catch LibraryError.journalUnfit(let token, let why) {
            throw MirrorError.unfit(token: token, why: why)
        }
    }

    private func hasHistory() throws(ObjectStoreError) -> Bool {
        for prefix in [LibraryMirror.prefix, MirrorSnapshot.prefix] {
            if try !store.list(prefix, after: nil, limit: 1).isEmpty { return true }
        }
        return false
    }

    /// Whether a library took the store for its own, and nothing came there since.
    private func isMarkedOnly() throws(ObjectStoreError) -> Bool {
        try store.list("", after: nil, limit: 2).allSatisfy { $0.key == LibraryMirror.identity }
    }

    private func identifier() throws -> UUID {
        guard let key = LibraryMirror.identity else { throw MirrorError.empty }
        do {
            let found = try text(key, in: store).split(separator: "\n").first.map(String.init) ?? ""
            guard let identifier = UUID(uuidString: found) else { throw MirrorError.damaged(key: key.text) }
            return identifier
        } catch let error as ObjectStoreError where error.kind == .notFound {
            // A history without it is a library whose identity was lost.
            let isEmpty = try store.list(LibraryMirror.prefix, after: nil, limit: 1).isEmpty
            throw isEmpty ? MirrorError.empty : MirrorError.damaged(key: key.text)
        }
    }

    /// The newest snapshot with the right bytes; returns its token, 0 where there is none.
    private func restoreSnapshot(of directory: LibraryDirectory, _ progress: RestoreProgress) throws -> Int64 {
        for (snapshot, facts) in try MirrorSnapshot.all(in: store) {
            // An earlier restore may have brought it.
            let isHere = try directory.hasSnapshot(of: facts.storedDate, with: snapshot.sha256, machine: machine)
            if try isHere || bring(snapshot, facts, to: directory, progress) { return snapshot.token }
        }
        return 0
    }

    private func bring(
        _ snapshot: MirrorSnapshot, _ facts: ObjectFacts, to directory: LibraryDirectory, _ progress: RestoreProgress
    ) throws -> Bool {
        try directory.restoreSnapshot(of: facts.storedDate, machine: machine) { write in
            var (hasher, received) = (ContentHasher(), Int64(0))
            do {
                try store.write(snapshot.key, from: 0) { bytes in
                    hasher.update(bytes)
                    try write(bytes)
                    received += Int64(bytes.count)
                    progress(.snapshot, received, facts.byteCount)
                }
            } catch let error as ObjectStoreError {
                guard error.kind == .notFound else { throw error }
            }
            return ContentHash(bytes: hasher.finish()) == snapshot.sha256
        }
    }

    /// Segments may overlap where one was written twice: each token is taken once.
    ///
    /// What the snapshot has may be wanting. What an earlier restore brought is not read again, where the store has its
    /// newest change as it is here.
    private func restoreJournal(
        of directory: LibraryDirectory, after snapshot: Int64, _ progress: RestoreProgress
    ) throws -> HistoryLoss {
        var begun = try directory.begunJournal(files: machine.files)
        var history = try SegmentReader(
            store, after: snapshot, from: (begun?.token ?? 1) - 1, date: begun?.date ?? machine.now())
        var rest = try begun.flatMap { try history.rest(after: $0) }
        if rest == nil, begun != nil {
            begun = nil
            history = try SegmentReader(store, after: snapshot, date: machine.now())
        }
        // Where there is no history at all one line says that it is lost: the originals may be there.
        var blank: [UInt8]? =
            history.end == 0 && snapshot == 0
            ? Array((HistoryLine.lost(1, at: machine.now()).journalText + "\n").utf8) : nil
        try directory.restoreJournal(after: begun, machine: machine) {
            if let line = blank {
                blank = nil
                return line
            }
            progress(.history, history.newest, history.end)
            if let lines = rest, !lines.isEmpty {
                rest = nil
                return lines
            }
            if let lines = try history.next() { return lines }
            guard isPartial || history.loss.changes == 0 else { throw MirrorError.incomplete(history.loss) }
            return nil
        }
        return history.loss
    }

    /// What came to the store after the last history that it has is found there all the same.
    private func settle(
        _ library: PhotoLibrary, _ identifier: UUID, _ progress: RestoreProgress
    ) throws -> RestoreReport {
        var (inCloud, without) = try library.onThread { try $0.settleRestored() }
        let all = Int64(without.count)
        for (index, hash) in without.enumerated() {
            progress(.originals, Int64(index), all)
            guard let content = try library.onThread({ try $0.version(of: hash)?.content }),
                case .proven(let proof) = try verify(content, in: store, machine: machine)
            else { continue }
            try library.onThread { library in
                try library.perform(
                    [Residency.both, .inCloud].map {
                        .setResidency(ResidencyChange(hash: hash, residency: $0, copy: proof.copy))
                    } + [.setCondition(ConditionChange(hash: hash, condition: .sound))], origin: "restore")
            }
            inCloud += 1
            without.removeAll { $0 == hash }
        }
        if all > 0 { progress(.originals, all, all) }
        let suspicions = try suspicions(of: library, all: inCloud, progress)
        let denied = suspicions.count
        let counts = try library.onThread { (try $0.counts(), try $0.lastToken(), try $0.lostChangeCount()) }
        var report = RestoreReport(
            library: identifier, token: counts.1, assets: counts.0.assets + counts.0.recentlyDeleted,
            albums: counts.0.albums, originals: inCloud - denied, denied: denied, missing: without.count,
            lostChanges: counts.2, damagedObjects: [], skippedRequests: 0)
        report.lacking =
            try named(suspicions.all.sorted(), .denied, of: library) + named(without, .missing, of: library)
        return report
    }

    private func named(
        _ hashes: [ContentHash], _ reason: LackingOriginal.Reason, of library: PhotoLibrary
    ) throws -> [LackingOriginal] {
        try library.onThread { library in
            try hashes.prefix(RestoreReport.mostNamed).compactMap { hash in
                try library.nameOfOriginal(hash).map {
                    LackingOriginal(reason: reason, hash: hash, asset: $0.asset, filename: $0.filename)
                }
            }
        }
    }
}
