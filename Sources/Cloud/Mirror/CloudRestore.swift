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
        let directory = try LibraryDirectory.open(path, identifier: identifier, machine: machine)
        do {
            let isBlank = try directory.isBlank(machine: machine)
            guard isBlank, directory.identifier == identifier else {
                throw MirrorError.notEmpty(path: String(decoding: path, as: UTF8.self))
            }
            try restoreJournal(of: directory)
        } catch {
            directory.release()
            throw error
        }
        directory.release()
        let library = try PhotoLibrary.open(
            path, machine: machine, executor: executor, vfs: vfs, progress: progress)
        defer { library.onThread { $0.close() } }
        return try settle(library, identifier)
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

    /// Segments may overlap where one was written twice: each token is taken once.
    private func restoreJournal(of directory: LibraryDirectory) throws {
        var segments = try MirrorSegment.all(in: store)[...]
        var newest: Int64 = 0
        try directory.restoreJournal(machine: machine) {
            while let segment = segments.popFirst() {
                guard segment.tokens.upperBound > newest else { continue }
                guard segment.tokens.lowerBound <= newest + 1 else { throw MirrorError.damaged(key: segment.key.text) }
                let lines = try text(segment.key, in: store).split(separator: "\n")
                guard lines.count == segment.count else { throw MirrorError.damaged(key: segment.key.text) }
                let fresh = lines.dropFirst(Int(newest + 1 - segment.tokens.lowerBound))
                newest = segment.tokens.upperBound
                return Array((fresh.joined(separator: "\n") + "\n").utf8)
            }
            return nil
        }
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
