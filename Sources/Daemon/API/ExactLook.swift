import PhotoModel
import Platform

/// Looks at files of a folder under exactly the names that its directories list.
///
/// A lookup alone finds the same file under other names: through `..` or a symlink, or in other letter case where the
/// file system takes that for the same.
struct ExactLook {
    private let root: OpenFile
    private let files: any FileVerbs
    private var names: [PathBytes: Set<PathBytes>] = [:]

    /// Nil where the folder cannot be opened.
    init?(_ folder: PathBytes, _ files: any FileVerbs) {
        guard let root = try? files.openDirectory(folder.bytes) else { return nil }
        (self.root, self.files) = (root, files)
    }

    /// Nil where nothing has that name, or it cannot be looked at.
    mutating func status(at path: PathBytes) -> FileStatus? {
        var directory = PathBytes([])
        for part in path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard names(in: directory).contains(PathBytes(Array(part))) else { return nil }
            directory = directory.bytes.isEmpty ? PathBytes(Array(part)) : directory.appending(Array(part))
        }
        return try? files.status(at: path.bytes, in: root)
    }

    private mutating func names(in directory: PathBytes) -> Set<PathBytes> {
        if let known = names[directory] { return known }
        let opened = directory.bytes.isEmpty ? root : try? files.openDirectory(directory.bytes, beneath: root)
        let listed = opened.flatMap { try? files.list($0) } ?? []
        let found = Set(listed.map { PathBytes($0.name) })
        names[directory] = found
        return found
    }
}
