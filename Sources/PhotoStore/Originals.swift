import FoundationEssentials
import Glibc
package import PhotoModel
package import Platform
import Synchronization

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
    static func reserve(of facts: FileSystemFacts) -> Int64 { min(256 << 20, facts.totalBytes / 100) }

    /// Opens a stored original for reading.
    package func open(_ content: Content) throws(FileError) -> OpenFile {
        try machine.files.openForReading(Originals.path(of: content), beneath: originals)
    }

    /// Unlinks an original that no row names, durably; for a purge alone (RULES I3, R38).
    func remove(_ hash: ContentHash, fileExtension: String) throws(FileError) {
        try remove(StoredName(hash: hash, fileExtension: Array(fileExtension.utf8)))
    }

    /// The same by its name; for a purge, and for an orphan that a person gave up.
    func remove(_ name: StoredName) throws(FileError) {
        do throws(FileError) {
            let shard = try machine.files.openDirectory(Originals.shard(of: name.hash), beneath: originals)
            try machine.files.unlink(name.bytes, in: shard)
            try machine.files.sync(shard)
        } catch  where error.isAbsence {
            // Unlinked before a crash.
        }
    }

    /// Whether the stored bytes are there and have their hash: what cannot be read cannot be used (RULES R5).
    package func isSound(_ content: Content) throws(FileError) -> Bool {
        let look = look(at: content, reading: true)
        if case .unreadable(let error) = look.finding, error.isShortage { throw error }
        return look.areRight
    }

    /// Whether anybody has the original open, in this program or another.
    func isOpenElsewhere(_ content: Content) throws(FileError) -> Bool {
        try machine.files.isOpenElsewhere(try open(content))
    }

    /// What lies under `originals/`, in order; names of another shape are not ours and are left alone.
    func listing() throws(FileError) -> StoredListing {
        let shards = try machine.files.list(originals).map(\.name).filter { $0.count == 2 }
            .sorted { $0.lexicographicallyPrecedes($1) }
        let parts = Mutex([Result<StoredListing, FileError>?](repeating: nil, count: shards.count))
        machine.concurrently(shards.count) { index in
            let part = Result { () throws(FileError) in try self.listing(of: shards[index]) }
            parts.withLock { $0[index] = part }
        }
        var all = StoredListing()
        for part in parts.withLock({ $0 }) { if let part { all.append(try part.get()) } }
        return all
    }

    private func listing(of shard: [UInt8]) throws(FileError) -> StoredListing {
        var listing = StoredListing()
        do throws(FileError) {
            let entries = try machine.files.list(try machine.files.openDirectory(shard, beneath: originals))
            var last: [UInt8] = []
            for entry in entries where entry.name.starts(with: shard) {
                guard let name = StoredName(entry.name, sharing: &last) else { continue }
                listing.add(name, entry.kind)
            }
            listing.sort()
        } catch  where error.isAbsence || error.code == ELOOP {
            // A file or a symlink of two letters, and none of ours.
        } catch  where error.isOfOneFile {
            listing.unlisted[shard] = error
        }
        return listing
    }

    /// Whether no original was ever stored in it: the directory was emptied, or is another than before.
    ///
    /// A purge leaves the directories of the hashes.
    func isBlank() throws(FileError) -> Bool {
        try !machine.files.list(originals).contains { $0.name.count == 2 }
    }

    /// Makes this directory the library's, though nothing is stored in it: what was to be there is lost, or in the cloud.
    func claim() throws(FileError) {
        _ = try openOrMake(Array("00".utf8), in: originals, files: machine.files)
        try machine.files.sync(originals)
    }

    static func name(of content: Content) -> [UInt8] {
        StoredName(of: content).bytes
    }

    static func shard(of hash: ContentHash) -> [UInt8] { Array(hash.hexadecimalBytes.prefix(2)) }

    static func path(of content: Content) -> [UInt8] {
        shard(of: content.hash) + [UInt8(ascii: "/")] + name(of: content)
    }
}

/// The names under `originals/`, and what of them is not known.
struct StoredListing {
    /// Files under the name of an original; nobody has looked into them.
    private(set) var names: [StoredName] = []
    /// Where a directory, a symlink or a device has the name of an original.
    private(set) var blocked: Set<StoredName> = []
    /// Directories that cannot be listed: they are not empty (RULES R13).
    var unlisted: [[UInt8]: FileError] = [:]

    var isEmpty: Bool { names.isEmpty && unlisted.isEmpty }

    mutating func add(_ name: StoredName, _ kind: DirectoryEntry.Kind) {
        switch kind {
        case .regular, .unknown: names.append(name)
        case .directory, .symlink, .other: blocked.insert(name)
        }
    }

    mutating func sort() { names.sort() }

    /// What another directory has, which comes after this.
    mutating func append(_ other: StoredListing) {
        names += other.names
        blocked.formUnion(other.blocked)
        unlisted.merge(other.unlisted) { first, _ in first }
    }

    /// Whether an original that is not among the names is not known to be gone.
    func mayHave(_ name: StoredName) -> Bool {
        blocked.contains(name) || unlisted[Originals.shard(of: name.hash)] != nil
    }
}

/// A name under `originals/`, read: `<sha256>.<ext>`.
struct StoredName: Hashable, Comparable, Sendable {
    var hash: ContentHash
    var fileExtension: [UInt8]

    init?(_ name: [UInt8]) {
        var last: [UInt8] = []
        self.init(name, sharing: &last)
    }

    /// The same beside many others, most of which have the extension of the `last` one.
    init?(_ name: [UInt8], sharing last: inout [UInt8]) {
        guard name.count > 65, name[64] == UInt8(ascii: "."),
            let hash = name.withUnsafeBytes({ ContentHash(rawDigits: UnsafeRawBufferPointer(rebasing: $0[..<64])) })
        else { return nil }
        if !name[65...].elementsEqual(last) { last = Array(name[65...]) }
        (self.hash, fileExtension) = (hash, last)
    }

    init(of content: Content) {
        self.init(hash: content.hash, fileExtension: Array(content.fileExtension.utf8))
    }

    init(hash: ContentHash, fileExtension: [UInt8]) {
        (self.hash, self.fileExtension) = (hash, fileExtension)
    }

    var bytes: [UInt8] { hash.hexadecimalBytes + [UInt8(ascii: ".")] + fileExtension }

    /// By the bytes of the name.
    static func < (left: StoredName, right: StoredName) -> Bool {
        if left.hash != right.hash { return left.hash < right.hash }
        return left.fileExtension.lexicographicallyPrecedes(right.fileExtension)
    }
}
