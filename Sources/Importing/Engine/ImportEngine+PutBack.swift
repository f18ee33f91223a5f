import FoundationEssentials
import Glibc
package import PhotoModel
import PhotoStore
import Platform

/// What became of putting one source back.
package struct PutBack: Sendable, Equatable {
    package var key: SourceKey
    /// Why it is not there, in a sentence; nil where it is.
    package var failure: String?

    package init(key: SourceKey, failure: String? = nil) {
        self.key = key
        self.failure = failure
    }
}

/// An undo puts files back that albumd had removed (RULES I4): under the checks of their removal, and never over
/// anything that stands there.
extension ImportEngine {
    func putBack(_ sources: [Source]) throws -> [PutBack] {
        var roots = RootsOfStep(self)
        var outcomes: [PutBack] = []
        var rows: [Source] = []
        for source in sources {
            do throws(Refusal) {
                rows.append(try putBack(source, &roots))
                outcomes.append(PutBack(key: source.key))
            } catch {
                outcomes.append(PutBack(key: source.key, failure: error.why))
            }
        }
        // Before the watcher tells of the files: what is known, and has an outcome, is left alone.
        if let why = try record(rows) { machine.log(.error, "what was put back could not be recorded: \(why)") }
        return outcomes
    }

    private struct Refusal: Error {
        var why: String
    }

    /// Returns the row of the file that is there now: mapped as before, and passed over from now on.
    private func putBack(_ source: Source, _ roots: inout RootsOfStep) throws(Refusal) -> Source {
        do {
            guard let root = try roots.root(of: source.key.folder) else {
                throw Refusal(why: "its folder is not online")
            }
            var row = source
            row.evidence = try restoreFile(source, beneath: root)
            (row.isRemoved, row.departure) = (false, nil)
            (row.outcome, row.reason, row.detail) = (.skipped, .putBack, Reason.putBack.explanation)
            return row
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as FileError where error.isExistence {
            throw Refusal(why: "something else stands there")
        } catch let error as FileError where error.isAbsence {
            throw Refusal(why: "its directory is gone: make it, then try again")
        } catch {
            throw Refusal(why: "\(error)")
        }
    }

    /// Writes the bytes under another name, checks them, makes them durable, then renames without replacing.
    private func restoreFile(_ source: Source, beneath root: OpenFile) throws -> SourceEvidence {
        let files = machine.files
        guard let hash = source.evidence?.hash, let stored = try reader.version(of: hash),
            try library.directory.originals.isSound(stored.content)
        else { throw Refusal(why: "its bytes are not in the library any more") }
        let path = source.key.path
        let directory = try files.openDirectory(path.directory.bytes, beneath: root)
        if try files.statusIfPresent(at: path.name.bytes, in: directory) != nil {
            throw Refusal(why: "something else stands there")
        }
        let name = Array(".\(machine.makeUUID().uuidString).part".utf8)
        let file = try files.create(name, in: directory)
        do {
            try copy(try library.directory.originals.open(stored.content), to: file, hash)
            try files.rename(name, in: directory, to: path.name.bytes, in: directory)
        } catch {
            try? files.unlink(name, in: directory)
            throw error
        }
        try files.sync(directory)
        return try evidence(of: file, hash, like: source.evidence)
    }

    private func copy(_ original: OpenFile, to file: OpenFile, _ hash: ContentHash) throws {
        let files = machine.files
        if try !files.clone(original, to: file) {
            var offset: Int64 = 0
            while true {
                let piece = try readBytes(original, files: files, at: offset, count: 1 << 20)
                guard !piece.isEmpty else { break }
                try writeBytes(file, piece, files: files, at: offset)
                offset += Int64(piece.count)
            }
        }
        guard try ContentHasher.hash(file: file, files: files) == hash.bytes else {
            throw FileError(code: EIO, verb: "copy")
        }
        // Whoever may enter the folder could read the file before; its owner is not known any more.
        try files.setMode(file, 0o644)
        try files.sync(file)
    }

    private func evidence(of file: OpenFile, _ hash: ContentHash, like old: SourceEvidence?) throws -> SourceEvidence {
        var evidence = SourceEvidence(try machine.files.status(of: file))
        evidence.fileSystem = old?.fileSystem
        evidence.handle = machine.files.handle(of: file)
        evidence.hash = hash
        return evidence
    }
}
