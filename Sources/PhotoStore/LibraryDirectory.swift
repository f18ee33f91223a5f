package import FoundationEssentials
import Glibc
import PhotoModel
package import Platform

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

    package var cataloguePath: String { String(decoding: path, as: UTF8.self) + "/catalogue.sqlite" }

    /// Opens the library, or makes one in an empty or absent directory.
    ///
    /// Nothing is written before the lock is held.
    package static func open(_ path: [UInt8], machine: Machine) throws -> LibraryDirectory {
        let files = machine.files
        let root = try makeDirectories(path, files: files)
        try checkPlace(root, path: path, files: files)
        let lock = try takeLock(in: root, path: path, files: files)
        let identifier = try readOrWriteFormat(in: root, path: path, machine: machine)
        func directory(_ name: String) throws(FileError) -> OpenFile {
            try openOrMake(Array(name.utf8), in: root, files: files)
        }
        let originals = Originals(
            machine: machine, originals: try directory("originals"), staging: try directory("staging"),
            setAside: try directory("set-aside"))
        let library = LibraryDirectory(
            path: path, root: root, identifier: identifier, originals: originals, journal: try directory("journal"),
            snapshots: try directory("snapshots"), lock: lock)
        try library.checkCatalogueIsThere(files: files)
        try files.sync(root)
        return library
    }

    /// A catalogue that is missing beside originals is never replaced by an empty one (RULES R8).
    private func checkCatalogueIsThere(files: any FileVerbs) throws {
        do throws(FileError) {
            _ = try files.status(at: Array("catalogue.sqlite".utf8), in: root)
        } catch  where error.isAbsence {
            guard try originals.storedHashes().isEmpty else {
                throw LibraryError.catalogueMissing(path: LibraryDirectory.display(path))
            }
        }
    }

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
        let status = try files.status(of: root)
        guard status.mode & 0o022 == 0 else {
            throw LibraryError.unsafeOwnership(path: display(path), why: "can be written by others than its owner")
        }
        guard status.owner == getuid() else {
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

    private static func display(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

/// `library.json`: what every version of albumd reads first.
private struct LibraryFormat: Codable {
    var format: Int
    var library: UUID
}

extension LibraryDirectory {
    fileprivate static let formatFile = Array("library.json".utf8)

    fileprivate static func readOrWriteFormat(in root: OpenFile, path: [UInt8], machine: Machine) throws -> UUID {
        let files = machine.files
        do {
            let file = try files.openForReading(formatFile, beneath: root)
            let bytes = try readBytes(file, files: files, at: 0, count: 4096)
            let format = try JSONDecoder().decode(LibraryFormat.self, from: Data(bytes))
            guard format.format <= formatVersion else {
                throw LibraryError.newerFormat(found: format.format, supported: formatVersion)
            }
            return format.library
        } catch let error as FileError where error.isAbsence {
            return try writeFormat(in: root, path: path, machine: machine)
        } catch is DecodingError {
            throw LibraryError.notALibrary(path: display(path))
        }
    }

    /// The file is whole or absent: written aside, synced, then renamed.
    private static func writeFormat(in root: OpenFile, path: [UInt8], machine: Machine) throws -> UUID {
        let files = machine.files
        let fresh = Array("library.json.new".utf8)
        let others = try files.list(root).filter { $0.name != Array(".lock".utf8) && $0.name != fresh }
        guard others.isEmpty else { throw LibraryError.notALibrary(path: display(path)) }
        let format = LibraryFormat(format: formatVersion, library: machine.makeUUID())
        // Left by a crash within these lines.
        try? files.unlink(fresh, in: root)
        let file = try files.create(fresh, in: root)
        try writeBytes(file, Array(try JSONEncoder().encode(format)) + [UInt8(ascii: "\n")], files: files, at: 0)
        try files.sync(file)
        try files.rename(fresh, in: root, to: formatFile, in: root)
        try files.sync(root)
        return format.library
    }
}
