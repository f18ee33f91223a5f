/// The header of one box of an ISO base media file (ISO/IEC 14496-12, 4.2), or of one QuickTime atom.
package struct Box {
    package let type: FourCC
    package let start: Int64
    package let headerByteCount: Int64
    /// One past its last byte, `Int64.max` where the stated size overflows; may lie beyond the file.
    package let end: Int64
    /// It states no size, and reaches to the end of what holds it.
    package let isOpenEnded: Bool

    package var content: Int64 { start + headerByteCount }

    /// Reads a header of 8 bytes, or 16 where the size is a long one.
    ///
    /// Nil where it is cut, or its size is smaller than itself.
    package init?(header: some RandomAccessCollection<UInt8>, at start: Int64, within limit: Int64) {
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
