/// The header of one box of an ISO base media file (ISO/IEC 14496-12, 4.2), or of one QuickTime atom.
struct Box {
    let type: FourCC
    let start: Int64
    let headerByteCount: Int64
    /// One past its last byte, `Int64.max` where the stated size overflows; may lie beyond the file.
    let end: Int64
    /// It states no size, and reaches to the end of what holds it.
    let isOpenEnded: Bool

    var content: Int64 { start + headerByteCount }

    /// Reads a header of 8 bytes, or 16 where the size is a long one.
    ///
    /// Nil where it is cut, or its size is smaller than itself.
    init?(header: some RandomAccessCollection<UInt8>, at start: Int64, within limit: Int64) {
        guard header.count >= 8 else { return nil }
        let short = ByteOrder.big.integer(header.prefix(4))
        let isLong = short == 1
        guard !isLong || header.count >= 16 else { return nil }
        let long = isLong ? ByteOrder.big.integer(header.dropFirst(8).prefix(8)) : short
        let headerByteCount: Int64 = isLong ? 16 : 8
        let size = Int64(clamping: long)
        guard short == 0 || size >= headerByteCount else { return nil }
        let (end, overflow) = start.addingReportingOverflow(size)

        self.type = FourCC(header.dropFirst(4).prefix(4))
        self.start = start
        self.headerByteCount = headerByteCount
        self.isOpenEnded = short == 0
        self.end = short == 0 ? limit : overflow ? .max : end
    }
}

/// The four characters that name a box, a brand or a chunk.
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let value: UInt32

    init(_ bytes: some Sequence<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    init(stringLiteral text: String) { self.init(text.utf8) }

    /// Whether all four are printable ASCII, as every type in use is but for QuickTime's 0xA9.
    var isPlausible: Bool {
        stride(from: UInt32(0), to: 32, by: 8).allSatisfy { shift in
            let byte = value >> shift & 0xFF
            return 0x20..<0x7F ~= byte || byte == 0xA9
        }
    }
}

extension FileEnds {
    /// The box whose header stands at `offset`, if an end shows it.
    func box(at offset: Int64, within limit: Int64) -> Box? {
        guard offset <= limit - 8 else { return nil }
        guard let header = bytes(at: offset, count: 16) ?? bytes(at: offset, count: 8) else { return nil }
        return Box(header: header, at: offset, within: limit)
    }
}
