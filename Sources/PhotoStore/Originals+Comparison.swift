import Glibc
package import PhotoModel
package import Platform

/// A stored original beside a file that is said to have the same bytes.
extension Originals {
    /// Whether a file has, byte for byte, what is stored under this content's name.
    ///
    /// It says more than a hash of either, at a fraction of the work: these bytes are here as well. An original that cannot
    /// be read has nothing; errors are those of reading `file`, and a want of descriptors (RULES R4).
    package func hasBytes(of file: OpenFile, storedAs content: Content) throws(FileError) -> Bool {
        let original: OpenFile
        do throws(FileError) { original = try open(content) } catch {
            if error.isShortage { throw error }
            return false
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Originals.piece, alignment: 4096)
        defer { buffer.deallocate() }
        let given = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Originals.piece])
        let stored = UnsafeMutableRawBufferPointer(rebasing: buffer[Originals.piece...])
        var offset: Int64 = 0
        while true {
            let count = try fill(given, from: file, at: offset)
            guard isEqual(given[..<count], to: original, at: offset, through: stored) else { return false }
            offset += Int64(count)
            machine.giveWay()
            if count < given.count { return offset == content.byteCount }
        }
    }

    /// Small enough that both pieces stay in a core's own cache.
    private static let piece = 128 << 10

    /// Whether the original goes on with these bytes; where they do not fill a piece, it has to end with them.
    private func isEqual(
        _ given: Slice<UnsafeMutableRawBufferPointer>, to original: OpenFile, at offset: Int64,
        through stored: UnsafeMutableRawBufferPointer
    ) -> Bool {
        do throws(FileError) {
            let count = try fill(stored, from: original, at: offset)
            return given.elementsEqual(bytes: stored[..<count])
        } catch {
            return false
        }
    }

    /// Reads until the piece is full or the file ends.
    private func fill(
        _ piece: UnsafeMutableRawBufferPointer, from file: OpenFile, at offset: Int64
    ) throws(FileError) -> Int {
        var count = 0
        while count < piece.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: piece[count...])
            let read = try machine.files.read(file, into: rest, at: offset + Int64(count))
            if read == 0 { break }
            count += read
        }
        return count
    }
}

extension Slice<UnsafeMutableRawBufferPointer> {
    /// By memcmp(3): generic comparison goes byte by byte.
    fileprivate func elementsEqual(bytes other: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
        guard count == other.count, count > 0 else { return count == other.count }
        let (own, others) = (UnsafeRawBufferPointer(rebasing: self), UnsafeRawBufferPointer(rebasing: other))
        guard let first = own.baseAddress, let second = others.baseAddress else { return false }
        return memcmp(first, second, count) == 0
    }
}
