package import FoundationEssentials
import PhotoModel
package import PhotoStore
package import Platform

/// What a restore gave back.
package struct RestoreReport: Sendable, Equatable, Encodable {
    package var library: UUID
    /// The newest change that the store had.
    package var token: Int64
    package var assets: Int
    package var albums: Int
    /// Originals that are in the cloud now.
    package var originals: Int
    /// Originals that never came to the store: their assets are there, and their bytes are missing.
    package var missing: Int
    /// Changes of the history that no place has any more: those that were lost before this restore, too.
    package var lostChanges: Int
    /// Objects of the store that should have them, as far as this restore read them.
    package var damagedObjects: [String]
    /// Requests that could not be made again, since what they build on is lost.
    package var skippedRequests: Int
}

/// A library made anew in an empty directory from what the store has of it: every asset, identifier, album and mapping, all
/// in cloud.
package struct CloudRestore: Sendable {
    private let store: any ObjectStore
    private let machine: Machine
    /// Whether it goes on where the store lost a part of the history.
    private let isPartial: Bool

    package init(from store: any ObjectStore, isPartial: Bool = false, machine: Machine) {
        (self.store, self.isPartial, self.machine) = (store, isPartial, machine)
    }

    /// Blocks; nothing of a crash half-way is taken for a library.
    package func restore(
        to path: [UInt8], executor: ThreadExecutor, vfs: String? = nil, progress: RebuildProgress = { _, _ in }
    ) throws -> RestoreReport {
        let identifier = try identifier()
        guard try !store.list(LibraryMirror.prefix, after: nil, limit: 1).isEmpty else { throw MirrorError.empty }
        let directory = try LibraryDirectory.open(path, identifier: identifier, isRestoring: true, machine: machine)
        let begun = Result { try begin(directory, identifier, vfs: vfs, progress: progress) }
        directory.release()
        let (loss, skipped) = try begun.get()
        let library = try PhotoLibrary.open(
            path, isRestoring: true, machine: machine, executor: executor, vfs: vfs, progress: progress)
        defer { library.onThread { $0.close() } }
        var report = try settle(library, identifier)
        (report.damagedObjects, report.skippedRequests) = (loss.objects, skipped)
        try library.directory.endRestore(files: machine.files)
        return report
    }

    /// Snapshot, journal and catalogue, where a restore before this has not made them yet.
    ///
    /// Nothing is lost silently: what the store lost of the history ends it, unless it is partial.
    private func begin(
        _ directory: LibraryDirectory, _ identifier: UUID, vfs: String?, progress: RebuildProgress
    ) throws -> (loss: HistoryLoss, skippedRequests: Int) {
        let isBegun = try directory.isBeingRestored(files: machine.files)
        guard try isBegun || directory.isBlank(machine: machine), directory.identifier == identifier else {
            throw MirrorError.notEmpty(path: String(decoding: directory.path, as: UTF8.self))
        }
        try directory.beginRestore(files: machine.files)
        guard try !directory.hasCatalogue(files: machine.files) else { return (HistoryLoss(), 0) }
        let loss = try restoreJournal(of: directory, after: restoreSnapshot(of: directory))
        do {
            let skipped = try directory.makeRestoredCatalogue(
                isPartial: isPartial, machine: machine, vfs: vfs, progress: progress)
            return (loss, skipped)
        } catch LibraryError.journalUnfit(let token, let why) {
            throw MirrorError.unfit(token: token, why: why)
        }
    }

    private func identifier() throws -> UUID {
        guard let key = ObjectKey("library/identity") else { throw MirrorError.empty }
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
    private func restoreSnapshot(of directory: LibraryDirectory) throws -> Int64 {
        for (snapshot, facts) in try MirrorSnapshot.all(in: store) {
            let isBack = try directory.restoreSnapshot(of: facts.storedDate, machine: machine) { write in
                var hasher = ContentHasher()
                do {
                    try store.write(snapshot.key, from: 0) { bytes in
                        hasher.update(bytes)
                        try write(bytes)
                    }
                } catch let error as ObjectStoreError {
                    guard error.kind == .notFound else { throw error }
                }
                return ContentHash(bytes: hasher.finish()) == snapshot.sha256
            }
            if isBack { return snapshot.token }
        }
        return 0
    }

    /// Segments may overlap where one was written twice: each token is taken once.
    ///
    /// What the snapshot has may be wanting.
    private func restoreJournal(of directory: LibraryDirectory, after snapshot: Int64) throws -> HistoryLoss {
        var history = try SegmentReader(store, after: snapshot, date: machine.now())
        try directory.restoreJournal(machine: machine) {
            if let lines = try history.next() { return lines }
            guard isPartial || history.loss.changes == 0 else { throw MirrorError.incomplete(history.loss) }
            return nil
        }
        return history.loss
    }

    /// What came to the store after the last history that it has is found there all the same.
    private func settle(_ library: PhotoLibrary, _ identifier: UUID) throws -> RestoreReport {
        var (inCloud, without) = try library.onThread { try $0.settleRestored() }
        for hash in without {
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
        let counts = try library.onThread { (try $0.counts(), try $0.lastToken(), try $0.lostChangeCount()) }
        return RestoreReport(
            library: identifier, token: counts.1, assets: counts.0.assets + counts.0.recentlyDeleted,
            albums: counts.0.albums, originals: inCloud, missing: without.count,
            lostChanges: counts.2, damagedObjects: [], skippedRequests: 0)
    }
}
