package import FoundationEssentials
import Glibc
import PhotoModel
package import Platform
import SQLite

/// A library's directory on disk, locked: docs/library-format.md says what is in it.
package struct LibraryDirectory: Sendable {
    package static let formatVersion = 1

    package let path: [UInt8]
    package let root: OpenFile
    package let identifier: UUID
    package let originals: Originals
    package let journal: OpenFile
    package let snapshots: OpenFile
    /// Held for life: one daemon for a library (RULES R46).
    private let lock: OpenFile

    /// For SQLite, which takes paths as text.
    package var cataloguePath: String { String(decoding: path, as: UTF8.self) + "/catalogue.sqlite" }

    /// Opens the library, or makes one in an empty or absent directory.
    ///
    /// Nothing is written to a directory that is not, and cannot become, a library; nothing but the lock before the
    /// lock is held. `identifier` is for a new one that is made from what another place kept of it.
    /// One whose restore was not ended is opened by a restore alone.
    package static func open(
        _ path: [UInt8], identifier: UUID? = nil, isRestoring: Bool = false, machine: Machine
    ) throws -> LibraryDirectory {
        let directory = try tellingOfRefusal(path, files: machine.files) {
            try openWritable(path, identifier: identifier, machine: machine)
        }
        guard try isRestoring || !directory.isBeingRestored(files: machine.files) else {
            directory.unlock()
            throw LibraryError.restoreUnfinished(path: display(path))
        }
        return directory
    }

    private static func openWritable(
        _ path: [UInt8], identifier: UUID?, machine: Machine
    ) throws -> LibraryDirectory {
        let files = machine.files
        guard PathBytes(path).utf8 != nil else { throw LibraryError.pathNotText(path: display(path)) }
        let root = try makeDirectories(path, files: files)
        try checkPlace(root, path: path, files: files)
        try LibraryFormat.checkPlace(root, path: path, files: files)
        let lock = try takeLock(in: root, path: path, files: files)
        let format = try LibraryFormat.readOrWrite(
            in: root, path: path, identifier: identifier, machine: machine)
        try requireOriginals(in: root, path: path, files: files)
        let isOld = try files.statusIfPresent(at: Array("catalogue.sqlite".utf8), in: root) != nil
        func directory(_ name: String) throws -> OpenFile {
            if isOld, try files.statusIfPresent(at: Array(name.utf8), in: root) == nil {
                tellOfLoss(of: name, from: path, machine)
            }
            return try openOwn(name, in: root, path: path, files: files)
        }
        let originals = Originals(
            machine: machine, originals: try directory("originals"), staging: try directory("staging"),
            setAside: try directory("set-aside"))
        let library = LibraryDirectory(
            path: path, root: root, identifier: format.library, originals: originals, journal: try directory("journal"),
            snapshots: try directory("snapshots"), lock: lock)
        try library.makeDurable(files: files)
        return library
    }

    /// Whether `open` would make a new library there.
    package static func isAbsent(_ path: [UInt8], files: any FileVerbs) -> Bool {
        do {
            let root = try files.openDirectory(path)
            try LibraryFormat.checkPlace(root, path: path, files: files)
            return try !LibraryFormat.isPresent(in: root, files: files)
        } catch let error as FileError {
            return error.isAbsence
        } catch {
            return false
        }
    }

    /// Lets another daemon have it; nothing may be written afterwards.
    func unlock() {
        // The kernel lets go of the lock whatever close says.
        try? lock.close()
    }

    /// Whether anything is here that an empty catalogue would lose: originals, or changes in the journal.
    func hasContents(files: any FileVerbs) throws -> Bool {
        let journal = JournalReader(files: files, directory: journal)
        return try !originals.listing().isEmpty || !journal.months().isEmpty
    }

    package static func display(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    /// Every name that is there now survives a power cut: the directories just made, and those of originals that a
    /// crash left before they were synced.
    private func makeDurable(files: any FileVerbs) throws {
        let devices = try [originals.originals, originals.staging, originals.setAside].map { directory in
            try files.status(of: directory).device
        }
        guard Set(devices).count == 1 else {
            throw LibraryError.severalFileSystems(path: LibraryDirectory.display(path))
        }
        try files.sync(originals.originals)
        try files.sync(root)
    }

    /// Opens a directory, and makes it and those above where they are not there.
    private static func makeDirectories(_ path: [UInt8], files: any FileVerbs) throws(FileError) -> OpenFile {
        do throws(FileError) {
            return try files.openDirectory(path)
        } catch  where error.code == ENOENT && path.count > 1 {
            let parts = PathBytes(path)
            let above = parts.directory.bytes.isEmpty ? [UInt8(ascii: "/")] : parts.directory.bytes
            let parent = try makeDirectories(above, files: files)
            try files.makeDirectory(parts.name.bytes, in: parent)
            try files.sync(parent)
            return try files.openDirectory(path)
        }
    }

    private static func checkPlace(_ root: OpenFile, path: [UInt8], files: any FileVerbs) throws {
        if case .remote(let kind) = try files.fileSystem(of: root).kind {
            throw LibraryError.remoteFileSystem(path: display(path), kind: kind)
        }
        try checkOwnership(try files.status(of: root), path: path)
    }

    /// Refuses what others could have changed, as ssh does (RULES S11).
    static func checkOwnership(_ status: FileStatus, path: [UInt8]) throws {
        guard status.mode & 0o022 == 0 else {
            throw LibraryError.unsafeOwnership(path: display(path), why: "can be written by others than its owner")
        }
        guard status.owner == geteuid() else {
            throw LibraryError.unsafeOwnership(
                path: display(path), why: "belongs to uid \(status.owner), not to albumd")
        }
    }

    private static func takeLock(in root: OpenFile, path: [UInt8], files: any FileVerbs) throws -> OpenFile {
        let file = try openOrCreate(Array(".lock".utf8), in: root, files: files)
        guard try files.lock(file) else {
            let holder = String(decoding: try readBytes(file, files: files, at: 0, count: 64), as: UTF8.self)
            throw LibraryError.inUse(
                path: display(path), holder: holder.split(separator: "\n").first.map(String.init) ?? "")
        }
        try writeBytes(file, Array("pid \(getpid())\n                \n".utf8), files: files, at: 0)
        return file
    }
}
