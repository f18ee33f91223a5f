import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// What a stored original was found to be, read again for the removal of its source (RULES R4).
struct Proof: Sendable {
    var stored: Version
    /// An error is one that says nothing of the original: no descriptor was free.
    var isSound: Result<Bool, FileError>
}

/// The directories of removed sources, each made durable once.
struct EmptiedDirectories {
    fileprivate var open: [SourceKey: OpenFile] = [:]

    mutating func add(_ directory: OpenFile, of key: SourceKey) {
        open[SourceKey(folder: key.folder, path: key.path.directory)] = directory
    }
}

extension ImportEngine {
    /// The stored originals of these sources, each read once, on all cores.
    func proofs(for sources: [Source]) throws -> [ContentHash: Proof] {
        let versions = try Set(sources.compactMap { $0.evidence?.hash }).sorted().compactMap {
            try reader.version(of: $0)
        }
        let originals = library.directory.originals
        let results = Mutex([Result<Bool, FileError>](repeating: .success(false), count: versions.count))
        machine.concurrently(versions.count) { index in
            guard versions[index].condition == .sound, versions[index].residency != .inCloud else { return }
            let result = Result { () throws(FileError) in try originals.isSound(versions[index].content) }
            results.withLock { $0[index] = result }
        }
        let found = zip(versions, results.withLock { $0 }).map { ($0.content.hash, Proof(stored: $0, isSound: $1)) }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Where it fails the sources are removed all the same: if a power cut brings them back, they go again.
    func sync(_ emptied: EmptiedDirectories) {
        for (key, directory) in emptied.open {
            do throws(FileError) { try machine.files.sync(directory) } catch {
                machine.log(
                    .error, "sources were removed, and their directory cannot be synced: \(error)",
                    ["path": printable(key.path.bytes)])
            }
        }
    }
}
