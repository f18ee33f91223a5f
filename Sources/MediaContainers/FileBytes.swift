package import MediaBytes

/// The bytes of a file, or of a part of one, by their offset.
///
/// Every accessor answers nil for what is not wholly there, whatever offset a hostile file asks for: nothing traps. A
/// mebibyte is the most that is read at once.
package struct FileBytes {
    package static let pieceLimit = 1 << 20

    package let byteCount: Int64
    private let read: (_ offset: Int64, _ count: Int) -> [UInt8]

    /// `read` gives up to `count` bytes at `offset`, fewer where the file ends or cannot be read.
    package init(byteCount: Int64, read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
        // No file system has files beyond 2^60 bytes; below it, adding sizes of 32 bits cannot overflow.
        self.byteCount = min(max(byteCount, 0), 1 << 60)
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(byteCount: Int64(bytes.count)) { offset, count in
            let start = Int(offset)
            return Array(bytes[start..<min(bytes.count, start + count)])
        }
    }

    /// The `count` bytes at `offset`, all of them.
    package func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        guard offset >= 0, 0...FileBytes.pieceLimit ~= count, offset <= byteCount - Int64(count) else { return nil }
        let found = read(offset, count)
        return found.count == count ? found : nil
    }

    /// What lies between two offsets, as a file of its own; nil where it is longer than a piece.
    package func part(from start: Int64, to end: Int64) -> FileBytes? {
        guard start >= 0, start <= end, end - start <= Int64(FileBytes.pieceLimit) else { return nil }
        return bytes(at: start, count: Int(end - start)).map { FileBytes($0) }
    }

    package func integer(at offset: Int64, count: Int, _ order: ByteOrder = .big) -> UInt64? {
        bytes(at: offset, count: count).map { order.integer($0) }
    }

    package func has(_ text: String, at offset: Int64) -> Bool {
        bytes(at: offset, count: text.utf8.count)?.elementsEqual(text.utf8) ?? false
    }

    /// Four bytes as an offset or a size.
    func offset(at place: Int64, _ order: ByteOrder = .big) -> Int64? {
        integer(at: place, count: 4, order).map { Int64($0) }
    }
}
