import Glibc
import PhotoModel
import PhotoStore
import Platform

/// A file on its way back to its path: first under a name that no scan looks at, then under its own.
struct PutBackFile {
    struct Refusal: Error {
        var why: String
    }

    /// Its row before.
    let source: Source
    let file: OpenFile
    let directory: OpenFile
    let evidence: SourceEvidence
    let files: any FileVerbs

    /// Whether its path is free.
    static func requireFree(_ path: PathBytes, beneath root: OpenFile, files: any FileVerbs) throws(FileError) {
        let isFree: Bool
        do throws(FileError) {
            let directory = try files.openDirectory(path.directory.bytes, beneath: root)
            isFree = try files.statusIfPresent(at: path.name.bytes, in: directory) == nil
        } catch {
            guard error.isAbsence else { throw error }
            return
        }
        guard isFree else { throw .occupied(path) }
    }

    /// Writes the bytes, checks them, and makes them durable; what a crash left of an earlier try goes.
    static func copy(
        _ original: OpenFile, of source: Source, beneath root: OpenFile, machine: Machine
    ) throws -> PutBackFile {
        let (files, path) = (machine.files, source.key.path)
        let directory = try makeDirectories(path.directory, beneath: root, files: files)
        guard try files.statusIfPresent(at: path.name.bytes, in: directory) == nil else {
            throw FileError.occupied(path)
        }
        let name = firstName(of: path)
        discardLeftover(of: noted(source), in: directory, original, files: files)
        let file = try create(name, in: directory, files: files)
        try machine.reach(.putBackBegun)
        do {
            let evidence = try fill(file, from: original, like: source.evidence, in: directory, files: files)
            return PutBackFile(source: source, file: file, directory: directory, evidence: evidence, files: files)
        } catch {
            try? files.unlink(name, in: directory)
            throw error
        }
    }

    private static func create(
        _ name: [UInt8], in directory: OpenFile, files: any FileVerbs
    ) throws -> OpenFile {
        do throws(FileError) {
            return try files.create(name, in: directory)
        } catch {
            guard error.isExistence else { throw error }
            throw Refusal(why: "'\(printable(name))' stands beside it, and is not albumd's own: remove it")
        }
    }

    /// The row before anything of the file is there: what a crash leaves from now on is known for what it is.
    static func noted(_ source: Source) -> Source {
        var row = source
        (row.isRemoved, row.departure) = (true, nil)
        (row.outcome, row.reason, row.detail) = (.skipped, .putBack, Reason.putBack.explanation)
        return row
    }

    /// The row: mapped as before, and passed over from now on.
    func row(isRemoved: Bool) -> Source {
        var row = PutBackFile.noted(source)
        (row.evidence, row.isRemoved) = (evidence, isRemoved)
        return row
    }

    /// Takes its own name, never over another file; returns its row.
    func appear() throws(FileError) -> Source {
        do throws(FileError) {
            let path = source.key.path
            try files.rename(
                PutBackFile.firstName(of: path), in: directory, to: path.name.bytes, in: directory)
            try files.sync(directory)
            var row = row(isRemoved: false)
            row.evidence?.changed = try files.status(of: file).changed
            return row
        } catch {
            discard()
            throw error
        }
    }

    func discard() { try? files.unlink(PutBackFile.firstName(of: source.key.path), in: directory) }

    /// Removes what a crash left under the first name of a source that was to be put back.
    static func discardLeftover(
        of source: Source, beneath root: OpenFile, _ original: OpenFile?, files: any FileVerbs
    ) {
        let path = source.key.path.directory.bytes
        guard let directory = try? files.openDirectory(path, beneath: root) else { return }
        discardLeftover(of: source, in: directory, original, files: files)
    }

    /// It is albumd's own if it is the very file that the row knows, or has nothing but the beginning of the original.
    private static func discardLeftover(
        of source: Source, in directory: OpenFile, _ original: OpenFile?, files: any FileVerbs
    ) {
        let name = firstName(of: source.key.path)
        guard source.reason == .putBack, let evidence = source.evidence,
            let status = try? files.status(at: name, in: directory), status.kind == .regular
        else { return }
        let isKnown = evidence.isSameFile(as: SourceEvidence(status))
        guard isKnown || isBeginning(name, in: directory, original, files: files) else { return }
        try? files.unlink(name, in: directory)
    }

    private static func isBeginning(
        _ name: [UInt8], in directory: OpenFile, _ original: OpenFile?, files: any FileVerbs
    ) -> Bool {
        guard let original, let file = try? files.openForReading(name, beneath: directory) else { return false }
        return (try? begins(original, with: file, files: files)) ?? false
    }

    /// The same for the same path, and short, however long that is.
    private static func firstName(of path: PathBytes) -> [UInt8] {
        var hasher = ContentHasher()
        path.bytes.withUnsafeBytes { hasher.update($0) }
        let number = ContentHash(bytes: hasher.finish())?.hexadecimal.prefix(16) ?? ""
        return Array(".albumd-\(number).part".utf8)
    }
}

extension PutBackFile.Refusal {
    init(_ error: FileError) {
        switch error.code {
        case _ where error.isExistence: why = "something else stands there"
        case ELOOP, ENOTDIR, EXDEV: why = "the way to it is no directory of the folder any more"
        default: why = "\(error)"
        }
    }
}

/// Opens a directory below a root; what is missing on the way is made, each durable before the next.
private func makeDirectories(_ path: PathBytes, beneath root: OpenFile, files: any FileVerbs) throws -> OpenFile {
    var directory = root
    for name in path.bytes.split(separator: UInt8(ascii: "/")).map(Array.init) {
        if try files.statusIfPresent(at: name, in: directory) == nil {
            directory = try makeDirectory(name, in: directory, files: files)
        } else {
            directory = try files.openDirectory(name, beneath: directory)
        }
    }
    // By the whole path again: none of them was moved out of the folder meanwhile.
    return try files.openDirectory(path.bytes, beneath: root)
}

private func makeDirectory(_ name: [UInt8], in parent: OpenFile, files: any FileVerbs) throws(FileError) -> OpenFile {
    try files.makeDirectory(name, in: parent)
    let directory = try files.openDirectory(name, beneath: parent)
    try fit(directory, 0o700 | files.status(of: parent).mode & 0o777, files: files)
    try files.sync(directory)
    try files.sync(parent)
    return directory
}

/// The bytes, the time and the mode; checked and durable.
private func fill(
    _ file: OpenFile, from original: OpenFile, like old: SourceEvidence?, in directory: OpenFile, files: any FileVerbs
) throws -> SourceEvidence {
    if try !files.clone(original, to: file) { try copyBytes(of: original, to: file, files: files) }
    guard let old, try ContentHasher.hash(file: file, files: files) == old.hash?.bytes else {
        throw FileError(code: EIO, verb: "copy")
    }
    // Who may look into the directory could read the file before, and who may write there could replace it.
    try fit(file, 0o600 | files.status(of: directory).mode & 0o064, files: files)
    try setTime(of: file, old.modified, files: files)
    try files.sync(file)
    var evidence = SourceEvidence(try files.status(of: file))
    (evidence.fileSystem, evidence.handle, evidence.hash) = (old.fileSystem, files.handle(of: file), old.hash)
    return evidence
}

/// A file system where times are not for every owner to set has its own.
private func setTime(of file: OpenFile, _ modified: Int64, files: any FileVerbs) throws(FileError) {
    do throws(FileError) {
        try files.setModified(file, modified)
    } catch  where error.isPermission {}
}

/// Whether all bytes of the file are those that the original begins with.
private func begins(_ original: OpenFile, with file: OpenFile, files: any FileVerbs) throws(FileError) -> Bool {
    var offset: Int64 = 0
    while true {
        let piece = try readBytes(file, files: files, at: offset, count: 1 << 20)
        guard !piece.isEmpty else { return true }
        guard try readBytes(original, files: files, at: offset, count: piece.count) == piece else { return false }
        offset += Int64(piece.count)
    }
}

private func copyBytes(of original: OpenFile, to file: OpenFile, files: any FileVerbs) throws(FileError) {
    var offset: Int64 = 0
    while true {
        let piece = try readBytes(original, files: files, at: offset, count: 1 << 20)
        guard !piece.isEmpty else { return }
        try writeBytes(file, piece, files: files, at: offset)
        offset += Int64(piece.count)
    }
}

/// Sets the permission bits, and keeps the set-group-id bit that a directory has from its parent, where that may be set
/// (systemd.exec(5), RestrictSUIDSGID).
///
/// A card's file system has the modes of its mount, and refuses others: they are left.
private func fit(_ file: OpenFile, _ mode: UInt32, files: any FileVerbs) throws(FileError) {
    let inherited = try files.status(of: file).mode & 0o2000
    if inherited != 0, try accepts(file, mode | inherited, files: files) { return }
    _ = try accepts(file, mode, files: files)
}

private func accepts(_ file: OpenFile, _ mode: UInt32, files: any FileVerbs) throws(FileError) -> Bool {
    do throws(FileError) {
        try files.setMode(file, mode)
        return true
    } catch  where error.isPermission {
        return false
    }
}

extension FileError {
    fileprivate static func occupied(_ path: PathBytes) -> FileError {
        FileError(code: EEXIST, verb: "put back", path: path.bytes)
    }
}
