import PhotoModel
import PhotoStore
import Platform

/// What a source and its stored original were found to be, read side by side for the removal of the source (RULES R4).
struct Proof: Sendable {
    enum Finding: Sendable {
        /// The source as it was then, and the original that has the same bytes.
        case sameBytes(FileStatus, Content)
        /// The source has other bytes than its sound original, or nothing is known here of what only the cloud has.
        case differs
        /// The stored original is not what it should be.
        case unproven(ContentHash)
    }

    /// An error is one of reading the source, or says nothing of the original: no descriptor was free.
    let finding: Result<Finding, FileError>

    init(of key: SourceKey, in root: OpenFile, stored: Version?, in originals: Originals) {
        finding = Result { () throws(FileError) in
            guard let stored, stored.residency != .inCloud else { return .differs }
            let content = stored.content
            guard stored.condition == .sound else { return .unproven(content.hash) }
            let files = originals.machine.files
            let file = try files.openForReading(key.path.bytes, beneath: root)
            let status = try files.status(of: file)
            if try originals.hasBytes(of: file, storedAs: content) { return .sameBytes(status, content) }
            // Which of the two is it?
            return try originals.isSound(content) ? .differs : .unproven(content.hash)
        }
    }
}

/// The directories of removed sources, each made durable once.
struct EmptiedDirectories {
    fileprivate var open: [SourceKey: OpenFile] = [:]

    mutating func add(_ directory: OpenFile, of key: SourceKey) {
        open[SourceKey(folder: key.folder, path: key.path.directory)] = directory
    }
}

extension ImportEngine {
    /// Begins with a proof for each of these sources, in their order, on all cores; nil where the folder is not online.
    func beginProofs(for sources: [Source], roots: inout RootsOfStep) throws -> () -> [Proof?] {
        let pairs = try sources.map { source in
            let hash = source.evidence?.hash
            return (
                root: try roots.root(of: source.key.folder), stored: try hash.flatMap { try reader.version(of: $0) }
            )
        }
        let originals = library.directory.originals
        let proofs = Monitor([Proof?](repeating: nil, count: sources.count))
        let finish = machine.beginLoop(sources.count) { index in
            guard let root = pairs[index].root else { return }
            let proof = Proof(of: sources[index].key, in: root, stored: pairs[index].stored, in: originals)
            proofs.update { $0[index] = proof }
        }
        return {
            finish()
            return proofs.update { $0 }
        }
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
