import MediaBytes

/// The first and last bytes of a file, read by offset from its start.
///
/// They are all that recognising a file may look at. Every accessor answers nil for what lies outside the two ends,
/// whatever offset a hostile file asks for: nothing traps.
package struct FileEnds: Sendable {
    /// How many bytes of each end are worth having.
    package static let windowByteCount = 65_536

    package let head: [UInt8]
    package let tail: [UInt8]
    /// The size of the whole file.
    package let byteCount: Int64
    private let tailStart: Int64

    /// Takes the ends as they were read; `tail` may be empty, and may overlap `head`.
    package init(head: [UInt8], tail: [UInt8] = [], byteCount: Int64) {
        self.head = head
        self.tail = tail
        // No file system has files beyond 2^60 bytes; below it, adding sizes of 32 bits cannot overflow.
        self.byteCount = min(max(byteCount, Int64(head.count), Int64(tail.count)), 1 << 60)
        tailStart = self.byteCount - Int64(tail.count)
    }

    /// Reads both ends.
    ///
    /// `read` gives up to `count` bytes at `offset`, fewer only at the end of the file.
    package init<Failure: Error>(
        byteCount: Int64, read: (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let window = Int64(FileEnds.windowByteCount)
        let headCount = min(max(byteCount, 0), window)
        let tailCount = min(max(byteCount - headCount, 0), window)
        let head = try read(0, Int(headCount))
        let tail = tailCount == 0 ? [] : try read(byteCount - tailCount, Int(tailCount))
        // A tail that came short is not the tail.
        self.init(head: head, tail: tail.count == tailCount ? tail : [], byteCount: byteCount)
    }

    /// The `count` bytes at `offset`, or nil where an end does not hold them all.
    func bytes(at offset: Int64, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0 else { return nil }
        if offset <= Int64(head.count) - Int64(count) {
            return head[Int(offset)..<Int(offset) + count]
        }
        guard offset >= tailStart, offset - tailStart <= Int64(tail.count) - Int64(count) else { return nil }
        let start = Int(offset - tailStart)
        return tail[start..<start + count]
    }

    func integer(at offset: Int64, count: Int, _ order: ByteOrder = .big) -> UInt64? {
        bytes(at: offset, count: count).map { order.integer($0) }
    }

    func byte(at offset: Int64) -> UInt8? { bytes(at: offset, count: 1)?.first }

    func has(_ expected: [UInt8], at offset: Int64) -> Bool {
        bytes(at: offset, count: expected.count).map { $0.elementsEqual(expected) } ?? false
    }

    func has(_ text: String, at offset: Int64) -> Bool { has(Array(text.utf8), at: offset) }
}

extension FileEnds {
    /// The box whose header stands at `offset`, if an end shows it.
    func box(at offset: Int64, within limit: Int64) -> Box? {
        guard offset <= limit - 8 else { return nil }
        guard let header = bytes(at: offset, count: 16) ?? bytes(at: offset, count: 8) else { return nil }
        return Box(header: header, at: offset, within: limit)
    }
}
