import Glibc
package import PhotoModel
package import Platform

/// Something that a walk through a folder found.
package enum ScanItem: Sendable {
    case file(PathBytes, FileStatus)
    /// A symlink, a FIFO, a socket, a device, a mount point, or what lies too deep: by rule nothing is done with it.
    case skipped(PathBytes, Reason)
    /// A directory or an entry of which nothing can be known now: its content is unknown, not absent (RULES R13).
    case unreadable(PathBytes, FileError)

    package var path: PathBytes {
        switch self {
        case .file(let path, _), .skipped(let path, _), .unreadable(let path, _): path
        }
    }
}

/// Walks a folder directory by directory, a bounded number of steps at a time, in the order of the path bytes, so
/// that it can be merged with the catalogue's rows.
///
/// Follows no symlink, crosses no mount.
package struct ScanWalk {
    private struct Level {
        var directory: OpenFile
        var path: PathBytes
        var entries: [DirectoryEntry]
        var next = 0
    }

    private let files: any FileVerbs
    private let ignore: IgnoreRules
    private let device: UInt64
    private var levels: [Level] = []
    private static let depthLimit = 64
    private static let pathLimit = 4096
    /// Whether every directory was listed to its end: only then does absence mean anything.
    package private(set) var isComplete = true
    package private(set) var entryCount = 0

    /// Begins at the root of a folder; throws where the root itself cannot be listed.
    package init(root: OpenFile, ignore: IgnoreRules, files: any FileVerbs) throws(FileError) {
        self.files = files
        self.ignore = ignore
        device = try files.status(of: root).device
        levels = [Level(directory: root, path: PathBytes([]), entries: try ScanWalk.list(root, files: files))]
    }

    package var isFinished: Bool { levels.isEmpty }

    /// At most about `limit` further entries.
    package mutating func advance(limit: Int) -> [ScanItem] {
        var items: [ScanItem] = []
        let end = entryCount + limit
        while entryCount < end, var level = levels.popLast() {
            guard level.next < level.entries.count else { continue }
            let entry = level.entries[level.next]
            level.next += 1
            levels.append(level)
            entryCount += 1
            guard !ignore.ignores(name: entry.name) else { continue }
            if let item = visit(entry, in: level) { items.append(item) }
        }
        return items
    }

    private mutating func visit(_ entry: DirectoryEntry, in level: Level) -> ScanItem? {
        let path = level.path.appending(entry.name)
        guard path.bytes.count < ScanWalk.pathLimit else { return .skipped(path, .pathTooLong) }
        do throws(FileError) {
            let status = try files.status(at: entry.name, in: level.directory)
            // It became a directory, or ceased to be one, since the listing: it does not come in its order.
            if (status.kind == .directory) != (entry.kind == .directory) { isComplete = false }
            switch status.kind {
            case .regular: return .file(path, status)
            case .symlink: return .skipped(path, .symlink)
            case .other: return .skipped(path, .notRegular)
            case .directory: return try descend(entry, to: path, device: status.device, in: level)
            }
        } catch  where error.isAbsence {
            // Gone between the listing and the look.
            return nil
        } catch {
            isComplete = false
            return .unreadable(path, error)
        }
    }

    private mutating func descend(
        _ entry: DirectoryEntry, to path: PathBytes, device: UInt64, in level: Level
    ) throws(FileError) -> ScanItem? {
        guard device == self.device else { return .skipped(path, .otherFileSystem) }
        guard levels.count < ScanWalk.depthLimit else { return .skipped(path, .tooDeep) }
        do throws(FileError) {
            let directory = try files.openDirectory(entry.name, beneath: level.directory)
            let entries = try ScanWalk.list(directory, files: files)
            levels.append(Level(directory: directory, path: path, entries: entries))
            return nil
        } catch  where error.code == EXDEV {
            return .skipped(path, .otherFileSystem)
        }
    }

    /// Sorted so that full paths come in byte order: a directory stands where its name with a slash would.
    private static func list(_ directory: OpenFile, files: any FileVerbs) throws(FileError) -> [DirectoryEntry] {
        try files.list(directory).map { known($0, in: directory, files: files) }
            .map { ($0, $0.kind == .directory ? $0.name + [UInt8(ascii: "/")] : $0.name) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map(\.0)
    }

    /// Some file systems do not say in a listing what is a directory.
    private static func known(
        _ entry: DirectoryEntry, in directory: OpenFile, files: any FileVerbs
    ) -> DirectoryEntry {
        guard entry.kind == .unknown else { return entry }
        // What cannot be looked at now is met again when its turn comes.
        let isDirectory = (try? files.status(at: entry.name, in: directory))?.kind == .directory
        return DirectoryEntry(name: entry.name, kind: isDirectory ? .directory : .regular)
    }
}
