import FoundationEssentials
package import PhotoModel
package import Platform

/// The stored bytes: `originals/ab/<sha256>.<ext>`, immutable, and `staging/`, where they are written first.
package struct Originals: Sendable {
    package let machine: Machine
    let originals: OpenFile
    let staging: OpenFile
    let setAside: OpenFile

    /// An empty file in staging, for one copy.
    package func stage() throws(FileError) -> StagedFile {
        let name = Array(machine.makeUUID().uuidString.utf8)
        return StagedFile(name: name, file: try machine.files.create(name, in: staging), originals: self)
    }

    /// Whether a copy of this size may begin: the reserve stays free (RULES R11).
    package func hasRoom(for byteCount: Int64) throws(FileError) -> Bool {
        let facts = try machine.files.fileSystem(of: staging)
        return facts.freeBytes - byteCount >= Originals.reserve(of: facts)
    }

    /// 1 % of the file system, at most 256 MiB.
    private static func reserve(of facts: FileSystemFacts) -> Int64 { min(256 << 20, facts.totalBytes / 100) }

    /// Opens a stored original for reading.
    package func open(_ content: Content) throws(FileError) -> OpenFile {
        try machine.files.openForReading(Originals.path(of: content), beneath: originals)
    }

    /// Whether the stored bytes are there and have their hash.
    package func isSound(_ content: Content) throws(FileError) -> Bool {
        do throws(FileError) {
            return try ContentHasher.hash(file: open(content), files: machine.files) == content.hash.bytes
        } catch  where error.isAbsence {
            return false
        }
    }

    /// The names under `originals/`, as hash and extension; what else lies there is not ours and is left alone.
    package func storedHashes() throws(FileError) -> [ContentHash] {
        var hashes: [ContentHash] = []
        for entry in try machine.files.list(originals) where entry.name.count == 2 {
            let directory = try machine.files.openDirectory(entry.name, beneath: originals)
            hashes += try machine.files.list(directory).compactMap { Originals.hash(ofName: $0.name) }
        }
        return hashes.sorted()
    }

    static func name(of content: Content) -> [UInt8] {
        Array("\(content.hash.hexadecimal).\(content.fileExtension)".utf8)
    }

    static func shard(of hash: ContentHash) -> [UInt8] { Array(hash.hexadecimal.utf8.prefix(2)) }

    static func path(of content: Content) -> [UInt8] {
        shard(of: content.hash) + [UInt8(ascii: "/")] + name(of: content)
    }

    private static func hash(ofName name: [UInt8]) -> ContentHash? {
        guard name.count > 65, name[64] == UInt8(ascii: ".") else { return nil }
        return ContentHash(hexadecimal: String(decoding: name.prefix(64), as: UTF8.self))
    }
}

/// Bytes on their way into the library.
///
/// Let go before it is published, it removes itself.
package final class StagedFile: Sendable {
    package let name: [UInt8]
    package let file: OpenFile
    private let originals: Originals

    init(name: [UInt8], file: OpenFile, originals: Originals) {
        self.name = name
        self.file = file
        self.originals = originals
    }

    /// Removes it; what was published is no longer here, and that is well.
    package func discard() {
        // The sweep at start removes what stays.
        try? originals.machine.files.unlink(name, in: originals.staging)
        try? file.close()
    }
}
