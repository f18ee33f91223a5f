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
}

/// A library made anew in an empty directory from what the store has of it: every asset, identifier, album and mapping, all
/// in cloud.
package struct CloudRestore: Sendable {
    private let store: any ObjectStore
    private let machine: Machine

    package init(from store: any ObjectStore, machine: Machine) {
        (self.store, self.machine) = (store, machine)
    }

    /// Blocks; nothing of a crash half-way is taken for a library.
    package func restore(
        to path: [UInt8], executor: ThreadExecutor, vfs: String? = nil, progress: RebuildProgress = { _, _ in }
    ) throws -> RestoreReport {
        let identifier = try identifier()
        guard try !store.list(LibraryMirror.prefix, after: nil, limit: 1).isEmpty else { throw MirrorError.empty }
        let directory = try LibraryDirectory.open(path, identifier: identifier, isRestoring: true, machine: machine)
        do {
            try begin(directory, identifier)
        } catch {
            directory.release()
            throw error
        }
        directory.release()
        let library = try PhotoLibrary.open(
            path, isRestoring: true, machine: machine, executor: executor, vfs: vfs, progress: progress)
        defer { library.onThread { $0.close() } }
        let report = try settle(library, identifier)
        try library.directory.endRestore(files: machine.files)
        return report
    }

    /// Snapshot and journal, where a restore before this has not made a catalogue from them yet.
    private func begin(_ directory: LibraryDirectory, _ identifier: UUID) throws {
        let isBegun = try directory.isBeingRestored(files: machine.files)
        guard try isBegun || directory.isBlank(machine: machine), directory.identifier == identifier else {
            throw MirrorError.notEmpty(path: String(decoding: directory.path, as: UTF8.self))
        }
        try directory.beginRestore(files: machine.files)
        guard try !directory.hasCatalogue(files: machine.files) else { return }
        try restoreJournal(of: directory, after: restoreSnapshot(of: directory))
    }

    private func identifier() throws -> UUID {
        guard let key = ObjectKey("library/identity") else { throw MirrorError.empty }
        do {
            let found = try text(key, in: store).split(separator: "\n").first.map(String.init) ?? ""
            guard let identifier = UUID(uuidString: found) else { throw MirrorError.damaged(key: key.text) }
            return identifier
        } catch let error as ObjectStoreError where error.kind == .notFound {
            throw MirrorError.empty
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
    /// What the snapshot has may be wanting: those before a gap or a damaged segment are left out then.
    private func restoreJournal(of directory: LibraryDirectory, after snapshot: Int64) throws {
        var history = try SegmentReader(store, after: snapshot)
        try directory.restoreJournal(machine: machine) { try history.next() }
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
        let counts = try library.onThread { (try $0.counts(), try $0.lastToken()) }
        return RestoreReport(
            library: identifier, token: counts.1, assets: counts.0.assets + counts.0.recentlyDeleted,
            albums: counts.0.albums, originals: inCloud, missing: without.count)
    }
}
