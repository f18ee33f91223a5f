package import PhotoModel
package import Platform

/// The bytes of a put: as many as it says, with the hash that it says, and readable from the start as often as needed.
package struct ObjectBody: Sendable {
    package let byteCount: Int64
    package let sha256: ContentHash
    private let readAt: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws(FileError) -> Int

    /// An open file; its bytes must be those of the hash, or the put fails.
    package init(_ file: OpenFile, files: any FileVerbs, byteCount: Int64, sha256: ContentHash) {
        self.byteCount = byteCount
        self.sha256 = sha256
        readAt = { (buffer, offset) throws(FileError) in try files.read(file, into: buffer, at: offset) }
    }

    /// Bytes in memory: a journal, a probe.
    package init(_ bytes: [UInt8]) {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        guard let hash = ContentHash(bytes: hasher.finish()) else { preconditionFailure("SHA-256 has 32 bytes") }
        self.init(lying: bytes, sha256: hash)
    }

    /// Bytes under a hash that may be another's; for the tests of an engine.
    package init(lying bytes: [UInt8], sha256: ContentHash) {
        byteCount = Int64(bytes.count)
        self.sha256 = sha256
        readAt = { (buffer, offset) throws(FileError) in
            let rest = bytes[min(Int(offset), bytes.count)...].prefix(buffer.count)
            rest.withUnsafeBytes { buffer.copyMemory(from: $0) }
            return rest.count
        }
    }

    /// Reads at `offset`; 0 is the end.
    ///
    /// What cannot be read is the caller's own trouble, never the store's.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(ObjectStoreError) -> Int {
        do throws(FileError) {
            return try readAt(buffer, offset)
        } catch {
            throw ObjectStoreError(.bodyUnreadable, "\(error)")
        }
    }
}
