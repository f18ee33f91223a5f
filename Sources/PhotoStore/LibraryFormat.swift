import FoundationEssentials
import PhotoModel
import Platform

/// `library.json`: what every version of albumd reads first.
struct LibraryFormat: Codable {
    var format: Int
    var library: UUID

    private static let name = Array("library.json".utf8)
    private static let freshName = Array("library.json.new".utf8)

    /// What may stand in a directory that becomes a library: an unfinished one, and what mkfs.ext4 leaves.
    private static let harmless: Set<[UInt8]> = [freshName, Array(".lock".utf8), Array("lost+found".utf8)]

    /// Beside originals, either shows a library that has lost its library.json.
    private static let memory: Set<[UInt8]> = [Array("journal".utf8), Array("catalogue.sqlite".utf8)]

    /// Refuses a directory that holds other things and no library, before anything is written there.
    static func checkPlace(_ root: OpenFile, path: [UInt8], files: any FileVerbs) throws {
        let entries = Set(try files.list(root).map(\.name))
        guard !entries.contains(name), !entries.isSubset(of: harmless) else { return }
        let isLibrary = entries.contains(Array("originals".utf8)) && !entries.isDisjoint(with: memory)
        throw isLibrary
            ? LibraryError.formatUnreadable(path: LibraryDirectory.display(path))
            : LibraryError.notALibrary(path: LibraryDirectory.display(path))
    }

    static func isPresent(in root: OpenFile, files: any FileVerbs) throws(FileError) -> Bool {
        try files.statusIfPresent(at: name, in: root) != nil
    }

    /// Called with the lock held.
    ///
    /// A new library gets the identifier that is given, or one of its own.
    static func readOrWrite(
        in root: OpenFile, path: [UInt8], identifier: UUID?, machine: Machine
    ) throws -> LibraryFormat {
        guard let status = try machine.files.statusIfPresent(at: name, in: root) else {
            try checkPlace(root, path: path, files: machine.files)
            return try write(identifier ?? machine.makeUUID(), in: root, machine: machine)
        }
        try LibraryDirectory.checkOwnership(status, path: PathBytes(path).appending(name).bytes)
        return try read(try machine.files.openForReading(name, beneath: root), path: path, files: machine.files)
    }

    /// The version is read alone first: of a newer format nothing else is known.
    private static func read(_ file: OpenFile, path: [UInt8], files: any FileVerbs) throws -> LibraryFormat {
        struct Version: Decodable { var format: Int }
        let data = Data(try readBytes(file, files: files, at: 0, count: 4096))
        do {
            let found = try JSONDecoder().decode(Version.self, from: data).format
            guard found <= LibraryDirectory.formatVersion else {
                throw LibraryError.newerFormat(found: found, supported: LibraryDirectory.formatVersion)
            }
            return try JSONDecoder().decode(LibraryFormat.self, from: data)
        } catch is DecodingError {
            throw LibraryError.formatUnreadable(path: LibraryDirectory.display(path))
        }
    }

    /// The file is whole or absent: written aside, synced, then renamed.
    private static func write(
        _ library: UUID, in root: OpenFile, machine: Machine
    ) throws -> LibraryFormat {
        let files = machine.files
        let format = LibraryFormat(format: LibraryDirectory.formatVersion, library: library)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Left by a crash within these lines.
        try? files.unlink(freshName, in: root)
        let file = try files.create(freshName, in: root)
        try writeBytes(file, Array(try encoder.encode(format)) + [UInt8(ascii: "\n")], files: files, at: 0)
        try files.sync(file)
        try files.rename(freshName, in: root, to: name, in: root)
        try files.sync(root)
        return format
    }
}
