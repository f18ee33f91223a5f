import Glibc
import PhotoModel
import Platform

/// Begins a loop, on several threads where there are some; what it returns waits for the end (`Machine.beginLoop`).
package typealias BeginLoop =
    @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> @Sendable () -> Void

/// One directory of a walk: its entries in the order of full paths, and what stands at the next of them.
struct DirectoryLook: Sendable {
    let directory: OpenFile
    private let entries: [DirectoryEntry]
    private var statuses: [Result<FileStatus, FileError>] = []
    private(set) var next = 0
    /// So many are looked at in one go: a directory of a million entries is no single step.
    private static let portion = 512

    /// Lists the directory, without the names that are passed over, but with what a removal set aside.
    init(_ directory: OpenFile, ignore: IgnoreRules, files: any FileVerbs) throws(FileError) {
        self.directory = directory
        entries = try DirectoryLook.list(directory, files: files).filter {
            !ignore.ignores(name: $0.name) || $0.kind == .regular && AsideName.name(in: $0.name) != nil
        }
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
        Array((index..<max(index, statuses.count)).lazy.filter { isDirectory($0) }.prefix(limit))
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
        var entries = try files.list(directory)
        for index in entries.indices where entries[index].kind == .unknown {
            entries[index] = known(entries[index], in: directory, files: files)
        }
        entries.sort(by: comesBefore)
        return entries
    }

    private static func comesBefore(_ left: DirectoryEntry, _ right: DirectoryEntry) -> Bool {
        let shared = min(left.name.count, right.name.count)
        let order = left.name.withUnsafeBytes { left in
            right.name.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return Int32(0) }
                return memcmp(left, right, shared)
            }
        }
        guard order == 0 else { return order < 0 }
        return byte(shared, of: left) < byte(shared, of: right)
    }

    /// The byte of a path through the entry that follows this many of its name; -1 at its end.
    private static func byte(_ index: Int, of entry: DirectoryEntry) -> Int {
        if index < entry.name.count { return Int(entry.name[index]) }
        return entry.kind == .directory ? Int(UInt8(ascii: "/")) : -1
    }

    /// Some file systems do not say in a listing what is a directory.
    private static func known(
        _ entry: DirectoryEntry, in directory: OpenFile, files: any FileVerbs
    ) -> DirectoryEntry {
        // What cannot be looked at now is met again when its turn comes.
        let isDirectory = (try? files.status(at: entry.name, in: directory))?.kind == .directory
        return DirectoryEntry(name: entry.name, kind: isDirectory ? .directory : .regular)
    }
}
