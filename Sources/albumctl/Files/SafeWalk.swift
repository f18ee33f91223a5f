import Control
import Glibc
import PhotoModel
import Platform

/// A file that was read to its end, and was the same before and after.
struct HashedFile: Sendable {
    let path: PathBytes
    let status: FileStatus
    let hash: ContentHash
}

/// Walks what is to be erased, with the caller's own rights, and reads every file of it.
///
/// Through no symlink below a directory, and into no other mount. Nothing that was found is passed over in silence: it
/// was read, it is refused with its reason, or it is counted as left out; albumd's own marker apart.
struct SafeWalk {
    enum Found {
        case file(HashedFile)
        case refused(SafetyRow)
    }

    private static let depthLimit = 128

    let files: any FileVerbs
    /// Patterns of names to leave out (fnmatch(3)).
    let ignored: [[CChar]]
    /// The report, which is none of the files.
    let own: FileStatus?
    /// Told of the file that is read now, and of bytes as they are read.
    let reading: (PathBytes, Int) -> Void
    let each: (Found) throws(Problem) -> Void
    private(set) var ignoredCount = 0

    init(
        _ files: any FileVerbs, ignoring patterns: [[UInt8]], own: FileStatus?,
        reading: @escaping (PathBytes, Int) -> Void, each: @escaping (Found) throws(Problem) -> Void
    ) {
        (self.files, self.own, self.reading, self.each) = (files, own, reading, each)
        ignored = patterns.map { $0.map { CChar(bitPattern: $0) } + [0] }
    }

    /// Walks what an argument names; a symlink to a directory is that directory.
    mutating func walk(_ argument: [UInt8]) throws(Problem) {
        let path = try absolutePath(argument)
        let directory: OpenFile
        do throws(FileError) { directory = try files.openDirectory(path.bytes) } catch {
            return try error.code == ENOTDIR ? visitAlone(path) : refuse(path, error)
        }
        // As the daemon names it.
        try walk(directory, at: try absolutePath(path.bytes + Array("/.".utf8)), depth: 0)
    }

    private mutating func visitAlone(_ path: PathBytes) throws(Problem) {
        let parent = path.directory.bytes
        let directory: OpenFile
        do throws(FileError) { directory = try files.openDirectory(parent.isEmpty ? [slash] : parent) } catch {
            return try refuse(path, error)
        }
        try visit(path.name.bytes, in: directory, at: path, depth: 0)
    }

    private mutating func walk(_ directory: OpenFile, at path: PathBytes, depth: Int) throws(Problem) {
        let names: [[UInt8]]
        do throws(FileError) { names = try files.list(directory).map(\.name) } catch { return try refuse(path, error) }
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let below = path.bytes == [slash] ? PathBytes([slash] + name) : path.appending(name)
            if isIgnored(name) {
                ignoredCount += 1
            } else {
                try visit(name, in: directory, at: below, depth: depth)
            }
        }
    }

    private mutating func visit(
        _ name: [UInt8], in directory: OpenFile, at path: PathBytes, depth: Int
    ) throws(Problem) {
        let status: FileStatus
        do throws(FileError) { status = try files.status(at: name, in: directory) } catch {
            return try refuse(path, error)
        }
        guard status.inode != own?.inode || status.device != own?.device else { return }
        switch status.kind {
        case .symlink: try refuse(path, .symlink, "it is a symlink; name what it leads to")
        case .other: try refuse(path, .notRegular, "it is no file: a FIFO, a socket or a device")
        case .directory: try descend(name, in: directory, at: path, depth: depth)
        case .regular where isMarker(name, status): return
        case .regular: try read(name, in: directory, at: path)
        }
    }

    private mutating func descend(
        _ name: [UInt8], in directory: OpenFile, at path: PathBytes, depth: Int
    ) throws(Problem) {
        guard depth < SafeWalk.depthLimit else { return try refuse(path, .tooDeep, "it lies too deep") }
        // What lies in it could not be found again by its path, as an eraser would find it (path_resolution(7)).
        guard path.bytes.count < Int(PATH_MAX) else {
            return try refuse(path, .tooDeep, "its path is too long: albumctl takes at most 4,095 bytes")
        }
        let below: OpenFile
        do throws(FileError) { below = try files.openDirectory(name, beneath: directory) } catch {
            guard error.code == EXDEV else { return try refuse(path, error) }
            return try refuse(path, .otherFileSystem, "another file system is mounted there; name it as well")
        }
        try walk(below, at: path, depth: depth + 1)
    }

    private func read(_ name: [UInt8], in directory: OpenFile, at path: PathBytes) throws(Problem) {
        let hashed: HashedFile?
        do throws(FileError) { hashed = try hashedFile(name, in: directory, at: path, files, reading) } catch {
            return try refuse(path, error)
        }
        guard let hashed else { return try refuse(path, .changed, "it changed while it was read") }
        try each(.file(hashed))
    }

    private func isIgnored(_ name: [UInt8]) -> Bool {
        let text = name.map { CChar(bitPattern: $0) } + [0]
        return ignored.contains { fnmatch($0, text, 0) == 0 }
    }

    /// albumd's own file in a watched folder, which is small; nothing else is left out unasked.
    private func isMarker(_ name: [UInt8], _ status: FileStatus) -> Bool {
        name == Array(".albumd-folder".utf8) && status.byteCount <= 4096
    }

    private func refuse(_ path: PathBytes, _ error: FileError) throws(Problem) {
        let what = error.isAbsence ? "there is no such file" : "it cannot be read: \(error)"
        try refuse(path, .unreadable, what)
    }

    private func refuse(
        _ path: PathBytes, _ reason: UnsafeReason, _ detail: String
    ) throws(Problem) {
        var row = SafetyRow(path: path)
        row.refuse(reason, detail)
        try each(.refused(row))
    }
}

/// Reads a file to its end; nil where it changed meanwhile, or is no file any more.
func hashedFile(
    _ name: [UInt8], in directory: OpenFile, at path: PathBytes, _ files: any FileVerbs,
    _ reading: (PathBytes, Int) -> Void
) throws(FileError) -> HashedFile? {
    let file = try files.openForReading(name, beneath: directory)
    let before = try files.status(of: file)
    guard before.kind == .regular else { return nil }
    reading(path, 0)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { piece.deallocate() }
    var (hasher, offset) = (ContentHasher(), Int64(0))
    while true {
        let count = try files.read(file, into: piece, at: offset)
        if count == 0 { break }
        hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        offset += Int64(count)
        reading(path, count)
    }
    guard let hash = ContentHash(bytes: hasher.finish()), offset == before.byteCount,
        try files.status(of: file).hasSameContentEvidence(as: before)
    else { return nil }
    return HashedFile(path: path, status: before, hash: hash)
}

private let slash = UInt8(ascii: "/")
