import Glibc
import PhotoModel
import Platform

/// Runs the indices of a loop, on several threads where there are some (`Machine.concurrently`).
package typealias RunLoop = @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

/// One directory of a walk: its entries in the order of full paths, and what stands at the next of them.
struct DirectoryLook: Sendable {
    let directory: OpenFile
    private let entries: [DirectoryEntry]
    private var statuses: [Result<FileStatus, FileError>] = []
    private(set) var next = 0
    /// So many are looked at in one go: a directory of a million entries is no single step.
    private static let portion = 512

    /// Lists the directory, without the names that are passed over.
    init(_ directory: OpenFile, ignore: IgnoreRules, files: any FileVerbs) throws(FileError) {
        self.directory = directory
        entries = try DirectoryLook.list(directory, files: files).filter { !ignore.ignores(name: $0.name) }
    }

    var count: Int { entries.count }

    /// The next entry and what stands there; nil at the end.
    mutating func takeNext(_ files: any FileVerbs) -> (DirectoryEntry, Result<FileStatus, FileError>)? {
        guard next < entries.count else { return nil }
        if next == statuses.count { lookAhead(files) }
        defer { next += 1 }
        return (entries[next], statuses[next])
    }

    /// The indices of directories that are looked at already, from `index` on.
    func directories(from index: Int, limit: Int) -> [Int] {
        Array((index..<statuses.count).lazy.filter { isDirectory($0) }.prefix(limit))
    }

    func name(_ index: Int) -> [UInt8] { entries[index].name }

    private func isDirectory(_ index: Int) -> Bool {
        (try? statuses[index].get())?.kind == .directory
    }

    /// Looks at some further entries.
    mutating func lookAhead(_ files: any FileVerbs) {
        for entry in entries[statuses.count...].prefix(DirectoryLook.portion) {
            statuses.append(
                Result { () throws(FileError) in try files.status(at: entry.name, in: directory) })
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
