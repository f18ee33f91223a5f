import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform

/// Move mode: a source is removed only when its original has been proven, and only if it is still the file that was
/// imported (RULES R4, R15). Whatever differs, it stays, and is looked at again.
extension ImportEngine {
    private enum Removal {
        /// With the file as it was opened: its blocks are free when that is closed.
        case removed(OpenFile)
        case differs
        /// The stored original is not what it should be.
        case unproven(ContentHash)
        /// The folder or its disk does not let it go now.
        case refused(FileError)
        case absent
    }

    /// Sources that are to go, and the proofs of their originals, which are read meanwhile.
    typealias BegunRemoval = (sources: [Source], proofs: () -> [Proof?])

    func removeSources(_ sources: [Source], roots: inout RootsOfStep) throws {
        try finishRemovals([beginRemoval(of: sources, roots: &roots)], roots: &roots)
    }

    func beginRemoval(of sources: [Source], roots: inout RootsOfStep) throws -> BegunRemoval {
        // Where it does not pass, the daemon ends, and they stay.
        guard !sources.isEmpty, library.inspection.awaitPass() else { return ([], { [] }) }
        let sources = try sources.filter { source in
            try isRested(source, roots.root(of: source.key.folder))
        }
        return (sources, try beginProofs(for: sources, roots: &roots))
    }

    func finishRemovals(_ begun: [BegunRemoval], roots: inout RootsOfStep) throws {
        let (sources, proofs) = (begun.flatMap(\.sources), begun.flatMap { $0.proofs() })
        guard !sources.isEmpty else { return }
        if let refusal = try release(sources) {
            for source in sources { tryAgain(source.key, refusal) }
            return
        }
        var removed: [Source] = []
        var unlinked: [OpenFile] = []
        var emptied = EmptiedDirectories()
        for (source, proof) in zip(sources, proofs) {
            guard let proof, let root = try roots.root(of: source.key.folder) else {
                board.update { $0.finish(source.key) }
                continue
            }
            let removal = try removal(of: source, in: root, proof, &emptied)
            if case .refused = removal {} else { board.update { $0.finish(source.key) } }
            switch removal {
            case .removed(let file):
                unlinked.append(file)
                var gone = source
                (gone.isRemoved, gone.isReleased) = (true, false)
                removed.append(gone)
            case .differs: lookAgain(source.key)
            case .unproven(let hash):
                try setCondition(of: hash, .corrupt)
                lookAgain(source.key)
            case .refused(let error): tryAgain(source.key, error)
            case .absent: break
            }
        }
        close(unlinked)
        sync(emptied)
        _ = try record(removed)
    }

    /// The last one to close an unlinked file waits until the disk has its blocks back, some milliseconds for each where it is
    /// told of them (mount(8), `discard`): other threads do.
    private func close(_ unlinked: [OpenFile]) {
        closing.update { $0 += unlinked.count }
        for file in unlinked {
            machine.runApart { [closing] in
                // It was only read: there is nothing that an error could be about.
                try? file.close()
                closing.update { $0 -= 1 }
            }
        }
    }

    /// Before the first of them goes: whatever ends albumd then, what it removed itself is no deletion (RULES R35).
    ///
    /// Says why where the disk does not take that now.
    private func release(_ sources: [Source]) throws -> FileError? {
        let unreleased = sources.filter { !$0.isReleased }
        guard !unreleased.isEmpty else { return nil }
        return try change { change in
            for var source in unreleased {
                source.isReleased = true
                try change.perform(.recordSource(source))
            }
        }
    }

    func lookAgain(_ key: SourceKey) {
        guard let folder = folders.values.first(where: { $0.registration?.folder == key.folder }) else { return }
        board.update { $0.saw(key, .retry, settle: folder.rule.settle, now: machine.uptime()) }
    }

    private func removal(
        of source: Source, in root: OpenFile, _ proof: Proof, _ emptied: inout EmptiedDirectories
    ) throws -> Removal {
        do {
            return try remove(source, in: root, proof, &emptied)
        } catch let error as FileError {
            try noteNameGivenBack(to: source, beneath: root)
            return error.isAbsence ? .absent : .refused(error)
        }
    }

    /// It waits, and says for what: the asset is imported, and its source still has to go.
    private func tryAgain(_ key: SourceKey, _ error: FileError) {
        let now = machine.uptime()
        if board[key]?.detail == nil {
            machine.log(
                .error, "the source is imported, and cannot be removed: \(error)", ["path": printable(key.path.bytes)])
        }
        let reason = Reason(ofFolder: error)
        // Rights give EACCES; EPERM is a sticky directory or an attribute (unlink(2)).
        let hint = error.code == EPERM ? " (immutable, as lsattr tells? then chattr -i)" : ""
        let pause = backOff(board[key]?.attempts ?? 0)
        let detail = "imported, and cannot be removed: \(error)\(hint)"
        board.update { $0.wait(key, reason: reason, detail: detail, after: pause, now: now) }
    }

    /// Takes the proof, opens the source again, compares, and removes.
    private func remove(
        _ source: Source, in root: OpenFile, _ proof: Proof, _ emptied: inout EmptiedDirectories
    ) throws -> Removal {
        let files = machine.files
        let proven: FileStatus
        let content: Content
        switch try proof.finding.get() {
        case .differs: return .differs
        case .unproven(let hash): return .unproven(hash)
        case .sameBytes(let status, let original): (proven, content) = (status, original)
        }
        let file = try files.openForReading(source.key.path.bytes, beneath: root)
        // Whoever has it open for writing has not finished with it; who comes later waits until it is let go.
        let lease = try files.takeLease(file)
        defer { if lease == .granted { files.dropLease(file) } }
        let status = try files.status(of: file)
        // Whatever a folder is made to show: the last copy is never removed.
        let original = try files.status(of: library.directory.originals.open(content))
        guard status.device != original.device || status.inode != original.inode else {
            throw FileError(code: EBUSY, verb: "remove the stored original")
        }
        guard lease != .writerPresent, status.hasSameContentEvidence(as: proven),
            isSame(file, status, as: source.evidence)
        else { return .differs }
        try machine.reach(.beforeSourceRemoval)
        let directory = try files.openDirectory(source.key.path.directory.bytes, beneath: root)
        if asides.hold(source.key) { try giveBackAside(SourceKey(aside: source.key), beneath: root) }
        let aside = SetAside(source.key.path.name.bytes, in: directory, files: files)
        guard try aside.remove(file, status, lease: lease) else { return .differs }
        emptied.add(directory, of: source.key)
        try machine.reach(.afterSourceRemoval)
        return .removed(file)
    }

    /// Whether it is the file that was imported.
    ///
    /// A newer ctime alone is a chmod or the like: its bytes are proven.
    private func isSame(_ file: OpenFile, _ status: FileStatus, as evidence: SourceEvidence?) -> Bool {
        guard let evidence else { return false }
        var now = SourceEvidence(status)
        now.handle = machine.files.handle(of: file)
        return evidence.isSameFile(as: now) && evidence.byteCount == now.byteCount && evidence.modified == now.modified
    }
}
