import Glibc
package import PhotoModel
package import Platform
import Synchronization

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
/// Follows no symlink, crosses no mount. Directories that come soon are listed, and looked into, ahead of their turn,
/// several at once.
package struct ScanWalk {
    private struct Level {
        var look: DirectoryLook
        var path: PathBytes
        /// Directories in it that were looked into ahead, by their index.
        var ahead: [Int: Result<DirectoryLook, FileError>] = [:]
    }

    private let files: any FileVerbs
    private let ignore: IgnoreRules
    private let concurrently: RunLoop
    private let device: UInt64
    private var levels: [Level] = []
    /// How many entries the last directory had.
    private var lastCount = 1
    /// A directory that has so many above it, the folder's own included, is not looked into.
    package static let depthLimit = 64
    /// A path of so many bytes below the folder is not looked at.
    package static let pathLimit = 4096
    /// How many directories are looked into at once, how many entries they should have in all, and how deep that is
    /// done: each holds a descriptor (RULES I36).
    private static let ahead = (directories: 16, entries: 4096, depth: 4)
    /// Whether every directory was listed to its end: only then does absence mean anything.
    package private(set) var isComplete = true
    package private(set) var entryCount = 0

    /// Begins at the root of a folder; throws where the root itself cannot be listed.
    package init(
        root: OpenFile, ignore: IgnoreRules, files: any FileVerbs,
        concurrently: @escaping RunLoop = { count, body in (0..<count).forEach(body) }
    ) throws(FileError) {
        self.files = files
        self.ignore = ignore
        self.concurrently = concurrently
        device = try files.status(of: root).device
        levels = [Level(look: try DirectoryLook(root, ignore: ignore, files: files), path: PathBytes([]))]
    }

    package var isFinished: Bool { levels.isEmpty }

    /// At most about `limit` further entries.
    package mutating func advance(limit: Int) -> [ScanItem] {
        var items: [ScanItem] = []
        let end = entryCount + limit
        while entryCount < end, let top = levels.indices.last {
            guard let (entry, status) = levels[top].look.takeNext(files) else {
                levels.removeLast()
                continue
            }
            entryCount += 1
            if let item = visit(entry, status) { items.append(item) }
        }
        return items
    }

    private mutating func visit(_ entry: DirectoryEntry, _ status: Result<FileStatus, FileError>) -> ScanItem? {
        let path = levels[levels.count - 1].path.appending(entry.name)
        guard path.bytes.count < ScanWalk.pathLimit else { return .skipped(path, .pathTooLong) }
        do throws(FileError) {
            let status = try status.get()
            // It became a directory, or ceased to be one, since the listing: it does not come in its order.
            if (status.kind == .directory) != (entry.kind == .directory) { isComplete = false }
            switch status.kind {
            case .regular: return .file(path, status)
            case .symlink: return .skipped(path, .symlink)
            case .other: return .skipped(path, .notRegular)
            case .directory: return try descend(to: path, device: status.device)
            }
        } catch  where error.isAbsence {
            // Gone between the listing and the look.
            return nil
        } catch {
            isComplete = false
            return .unreadable(path, error)
        }
    }

    private mutating func descend(to path: PathBytes, device: UInt64) throws(FileError) -> ScanItem? {
        guard device == self.device else { return .skipped(path, .otherFileSystem) }
        guard levels.count < ScanWalk.depthLimit else { return .skipped(path, .tooDeep) }
        do throws(FileError) {
            levels.append(Level(look: try takeLook(), path: path))
            return nil
        } catch  where error.code == EXDEV {
            return .skipped(path, .otherFileSystem)
        }
    }

    /// The look into the directory that the last level has come to.
    private mutating func takeLook() throws(FileError) -> DirectoryLook {
        let top = levels.count - 1
        let index = levels[top].look.next - 1
        if levels[top].ahead[index] == nil { lookAhead(from: index, in: top) }
        guard let look = levels[top].ahead.removeValue(forKey: index) else {
            throw FileError(code: ENOENT, verb: "look into")
        }
        return try look.get()
    }

    /// Looks into the directory at `index` and, while directories are small, into some of those after it.
    private mutating func lookAhead(from index: Int, in top: Int) {
        let above = levels[top].look
        let limit = top < ScanWalk.ahead.depth ? min(ScanWalk.ahead.directories, ScanWalk.ahead.entries / lastCount) : 1
        let indices = above.directories(from: index, limit: max(1, limit))
        let looks = Mutex([Result<DirectoryLook, FileError>?](repeating: nil, count: indices.count))
        concurrently(indices.count) { [files, ignore] number in
            let look = Result { () throws(FileError) in
                let directory = try files.openDirectory(above.name(indices[number]), beneath: above.directory)
                var look = try DirectoryLook(directory, ignore: ignore, files: files)
                look.lookAhead(files)
                return look
            }
            looks.withLock { $0[number] = look }
        }
        for (index, look) in zip(indices, looks.withLock { $0 }) {
            levels[top].ahead[index] = look
            if case .success(let look) = look { lastCount = max(1, look.count) }
        }
    }
}
