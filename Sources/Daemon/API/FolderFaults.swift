import Glibc
import Importing
import PhotoModel
import Platform

/// What lies in a folder that the daemon cannot take, and what it cannot remove.
///
/// Nothing is opened but directories, and no mount is crossed. Stops where the tenth of each kind that is wanted is
/// known.
struct FolderFaults {
    static let limit = 10

    /// Why something is not taken.
    enum Untaken: Equatable {
        /// A directory that cannot be listed, a file that cannot be opened.
        case unreadable
        /// Beyond a limit of the scan, which passes it over for this reason.
        case beyond(Reason)
    }

    struct Entry<Fault: Equatable>: Equatable {
        /// Below the folder.
        var path: [UInt8]
        var isDirectory: Bool
        var fault: Fault
    }

    private let files: any FileVerbs
    private let root: OpenFile
    private let ignore: IgnoreRules
    /// Nil where nothing is to be removed.
    private let removal: RemovalRights?
    private(set) var untaken: [Entry<Untaken>] = []
    private(set) var unremovable: [Entry<RemovalRights.Fault>] = []
    private(set) var checkedCount = 0

    init(beneath root: OpenFile, ignore: IgnoreRules, removal: RemovalRights?, files: any FileVerbs) {
        (self.root, self.ignore, self.removal, self.files) = (root, ignore, removal, files)
        walk()
    }

    private var isFull: Bool {
        untaken.count >= Self.limit && (removal == nil || unremovable.count >= Self.limit)
    }

    private mutating func walk() {
        var waiting: [[UInt8]] = [[]]
        while !isFull, let path = waiting.popLast() {
            do throws(FileError) {
                let directory = try files.openDirectory(path, beneath: root)
                waiting += try look(at: try files.list(directory), of: directory, path)
            } catch {
                // What is no longer there, or is another file system, is no matter of rights.
                if error.isPermission { note(path, isDirectory: true, .unreadable) }
            }
        }
    }

    private mutating func note(_ path: [UInt8], isDirectory: Bool, _ fault: Untaken) {
        guard untaken.count < Self.limit else { return }
        untaken.append(Entry(path: path, isDirectory: isDirectory, fault: fault))
    }

    private mutating func note(_ path: [UInt8], isDirectory: Bool, _ fault: RemovalRights.Fault?) {
        guard let fault, unremovable.count < Self.limit else { return }
        unremovable.append(Entry(path: path, isDirectory: isDirectory, fault: fault))
    }

    /// Returns the directories among the entries.
    private mutating func look(
        at entries: [DirectoryEntry], of directory: OpenFile, _ path: [UInt8]
    ) throws(FileError) -> [[UInt8]] {
        let wanted = entries.filter { !ignore.ignores(name: $0.name) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        var (directories, names): ([[UInt8]], [[UInt8]]) = ([], [])
        for entry in wanted {
            guard let isDirectory = isDirectory(entry, in: directory) else { continue }
            let whole = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
            if let limit = Self.limit(beyondWhich: whole, isDirectory: isDirectory) {
                note(whole, isDirectory: isDirectory, .beyond(limit))
            } else if isDirectory {
                directories.append(whole)
            } else {
                names.append(entry.name)
                if !isReadable(entry.name, in: directory) { note(whole, isDirectory: false, .unreadable) }
            }
        }
        checkedCount += names.count
        try judgeRemoval(of: names, in: directory, path)
        return directories.reversed()
    }

    /// The limits of `ScanWalk`, which looks at nothing beyond them.
    private static func limit(beyondWhich path: [UInt8], isDirectory: Bool) -> Reason? {
        if path.count >= ScanWalk.pathLimit { return .pathTooLong }
        let depth = path.count { $0 == UInt8(ascii: "/") } + 1
        return isDirectory && depth >= ScanWalk.depthLimit ? .tooDeep : nil
    }

    /// Nil where it is neither a directory nor a regular file, or is gone.
    private func isDirectory(_ entry: DirectoryEntry, in directory: OpenFile) -> Bool? {
        switch entry.kind {
        case .directory: return true
        case .regular: return false
        case .symlink, .other: return nil
        case .unknown: break
        }
        switch try? files.status(at: entry.name, in: directory).kind {
        case .directory: return true
        case .regular: return false
        default: return nil
        }
    }

    /// By the rights of this process (faccessat(2), AT_EACCESS).
    private func isReadable(_ name: [UInt8], in directory: OpenFile) -> Bool {
        name.withCPath { faccessat(directory.descriptor, $0, R_OK, AT_EACCESS) } == 0 || errno != EACCES
    }

    /// What keeps all files of a directory is said once; the folder's own directory is judged without a file, too.
    private mutating func judgeRemoval(
        of names: [[UInt8]], in directory: OpenFile, _ path: [UInt8]
    ) throws(FileError) {
        guard let removal, !names.isEmpty || path.isEmpty else { return }
        let above = try files.status(of: directory)
        let statuses = names.compactMap { name in (try? files.status(at: name, in: directory)).map { (name, $0) } }
        note(path, isDirectory: true, removal.fault(of: directory, above, holding: statuses.map(\.1)))
        for (name, status) in statuses where status.isImmutable || status.isAppendOnly {
            note(path.isEmpty ? name : path + [UInt8(ascii: "/")] + name, isDirectory: false, .attribute)
        }
    }
}
