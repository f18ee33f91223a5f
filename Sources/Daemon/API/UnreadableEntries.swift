import Glibc
import Importing
import PhotoModel
import Platform

/// What lies in a folder and may not be read by the daemon: directories it cannot list, files it cannot open.
///
/// Nothing is opened but directories, and no mount is crossed. Stops at the tenth.
struct UnreadableEntries {
    static let limit = 10

    struct Entry: Equatable {
        /// Below the folder.
        var path: [UInt8]
        var isDirectory: Bool
    }

    private let files: any FileVerbs
    private let root: OpenFile
    private let ignore: IgnoreRules
    private(set) var found: [Entry] = []
    private(set) var checkedCount = 0

    init(beneath root: OpenFile, ignore: IgnoreRules, files: any FileVerbs) {
        (self.root, self.ignore, self.files) = (root, ignore, files)
        walk()
    }

    private mutating func walk() {
        var waiting: [[UInt8]] = [[]]
        while found.count < Self.limit, let path = waiting.popLast() {
            do throws(FileError) {
                let directory = try files.openDirectory(path, beneath: root)
                waiting += try look(at: try files.list(directory), of: directory, path)
            } catch {
                // What is no longer there, or is another file system, is no matter of rights.
                if error.isPermission { found.append(Entry(path: path, isDirectory: true)) }
            }
        }
    }

    /// Returns the directories among the entries.
    private mutating func look(
        at entries: [DirectoryEntry], of directory: OpenFile, _ path: [UInt8]
    ) throws(FileError) -> [[UInt8]] {
        var directories: [[UInt8]] = []
        for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            guard found.count < Self.limit, !ignore.ignores(name: entry.name) else { continue }
            let whole = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
            switch entry.kind {
            case .directory: directories.append(whole)
            case .regular:
                checkedCount += 1
                if !isReadable(entry.name, in: directory) { found.append(Entry(path: whole, isDirectory: false)) }
            // The file system does not say: it may be a directory, and is none where it cannot be opened as one.
            case .unknown: directories.append(whole)
            case .symlink, .other: break
            }
        }
        return directories.reversed()
    }

    /// By the rights of this process (faccessat(2), AT_EACCESS).
    private func isReadable(_ name: [UInt8], in directory: OpenFile) -> Bool {
        name.withCPath { faccessat(directory.descriptor, $0, R_OK, AT_EACCESS) } == 0 || errno != EACCES
    }
}
