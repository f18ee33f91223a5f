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
    /// What a removal set aside, and may have left.
    case aside(PathBytes)

    package var path: PathBytes {
        switch self {
        case .file(let path, _), .skipped(let path, _), .unreadable(let path, _), .aside(let path): path
        }
    }
}

/// Walks a folder directory by directory, a bounded number of steps at a time, in the order of the path bytes, so
/// that it can be merged with the catalogue's rows.
///
/// Follows no symlink, crosses no mount. Directories that come soon are listed, and looked into, ahead of their turn,
/// several at once, while the caller compares what came before.
package struct ScanWalk {
    private let files: any FileVerbs
    private var lookAhead: LookAhead
    private let device: UInt64
    private var levels: [ScanLevel] = []
    /// A directory that has so many above it, the folder's own included, is not looked into.
    package static let depthLimit = 64
    /// A path of so many bytes below the folder is not looked at.
    package static let pathLimit = 4096
    /// Above so many nothing is looked into ahead: each directory holds a descriptor (RULES I36).
    private static let aheadDepth = 4
    /// Whether every directory was listed to its end: only then does absence mean anything.
    package private(set) var isComplete = true
    package private(set) var entryCount = 0

    /// Begins at the root of a folder; throws where the root itself cannot be listed.
    package init(
        root: OpenFile, ignore: IgnoreRules, files: any FileVerbs,
        beginLoop: @escaping BeginLoop = { count, body in { (0..<count).forEach(body) } }
    ) throws(FileError) {
        self.files = files
        lookAhead = LookAhead(files: files, ignore: ignore, beginLoop: beginLoop)
        device = try files.status(of: root).device
        levels = [ScanLevel(try DirectoryLook(root, ignore: ignore, files: files))]
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
            case .regular where AsideName.name(in: entry.name) != nil: return .aside(path)
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
            var level = try takeLevel()
            level.path = path
            levels.append(level)
            return nil
        } catch  where error.code == EXDEV {
            return .skipped(path, .otherFileSystem)
        }
    }

    /// The directory that the last level has come to; begins with what comes after it.
    private mutating func takeLevel() throws(FileError) -> ScanLevel {
        let top = levels.count - 1
        guard top < ScanWalk.aheadDepth else { return try levels[top].take(.alone(lookAhead)) }
        let level = try levels[top].take(lookAhead)
        lookAhead.note(level.look.count)
        if !levels[top].beginMore(lookAhead), top > 0 { levels[top - 1].beginInNext(lookAhead) }
        return level
    }
}
