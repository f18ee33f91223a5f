import PhotoModel
import PhotoStore
import Platform

/// Move mode: a source is removed only when its original has been proven, and only if it is still the file that was
/// imported (RULES R4, R15). Whatever differs, it stays.
extension ImportEngine {
    func removeSources(_ sources: [Source], roots: inout RootsOfStep) throws {
        var removed: [Source] = []
        for source in sources {
            defer { board.update { $0.finish(source.key) } }
            guard let root = roots.root(of: source.key.folder) else { continue }
            do {
                guard try remove(source, in: root) else { continue }
            } catch let error as FileError {
                machine.log(
                    .error, "the source could not be removed: \(error)", ["path": printable(source.key.path.bytes)])
                continue
            }
            var gone = source
            gone.isRemoved = true
            removed.append(gone)
        }
        try record(removed)
    }

    /// Re-reads the stored original, opens the source again, compares, removes, and makes the removal durable.
    private func remove(_ source: Source, in root: OpenFile) throws -> Bool {
        let files = machine.files
        guard let evidence = source.evidence, let hash = evidence.hash,
            let stored = try reader.version(of: hash), stored.condition == .sound,
            try library.directory.originals.isSound(stored.content)
        else { return false }
        let file = try files.openForReading(source.key.path.bytes, beneath: root)
        var now = SourceEvidence(try files.status(of: file))
        now.handle = files.handle(of: file)
        guard evidence.isSameFile(as: now), evidence.byteCount == now.byteCount, evidence.modified == now.modified
        else {
            return false
        }
        if evidence.changed != now.changed {
            guard try ContentHasher.hash(file: file, files: files) == hash.bytes else { return false }
        }
        try machine.reach(.beforeSourceRemoval)
        let directory = try files.openDirectory(source.key.path.directory.bytes, beneath: root)
        try files.unlink(source.key.path.name.bytes, in: directory)
        try files.sync(directory)
        try machine.reach(.afterSourceRemoval)
        return true
    }
}
