package import MediaBytes

/// The directories of a TIFF stream, as EXIF, TIFF files and most RAW formats have them (TIFF 6.0, section 2).
///
/// Bounded against hostile files (S3): directories of at most 512 entries, and no value beyond the stream.
package struct TIFFStream {
    static let entryLimit = 512

    package let order: ByteOrder
    package let firstDirectory: Int64
    private let bytes: FileBytes

    /// Panasonic and Olympus write numbers of their own where TIFF has 42.
    package init?(_ bytes: FileBytes) {
        guard let mark = bytes.bytes(at: 0, count: 4), mark[0] == mark[1], let order = ByteOrder(tiffMark: mark[0]),
            [42, 0x55, 0x4F52, 0x5352].contains(order.integer(mark.suffix(2))),
            let first = bytes.offset(at: 4, order)
        else { return nil }
        self.order = order
        self.bytes = bytes
        firstDirectory = first
    }

    /// One without a header, whose offsets count from the first byte.
    init(_ bytes: FileBytes, _ order: ByteOrder, firstDirectory: Int64) {
        self.bytes = bytes
        self.order = order
        self.firstDirectory = firstDirectory
    }

    /// Where the directory stands that follows the one at an offset.
    func nextDirectory(after offset: Int64) -> Int64? {
        guard let count = bytes.integer(at: offset, count: 2, order), count <= UInt64(TIFFStream.entryLimit) else {
            return nil
        }
        return bytes.offset(at: offset + 2 + 12 * Int64(count), order)
    }

    /// The entries of the directory at an offset; those of an impossible one are none.
    func entries(at offset: Int64) -> [Entry] {
        guard let count = bytes.integer(at: offset, count: 2, order), count <= UInt64(TIFFStream.entryLimit) else {
            return []
        }
        return (0..<Int64(count)).compactMap { index in
            bytes.bytes(at: offset + 2 + 12 * index, count: 12).flatMap { Entry($0, order, in: bytes) }
        }
    }

    /// One entry with the bytes of its value.
    struct Entry {
        let number: UInt16
        let type: UInt16
        let count: UInt32
        let value: [UInt8]

        /// Nil where the type is none, or the value is not wholly there or longer than `valueLimit`.
        fileprivate init?(_ header: [UInt8], _ order: ByteOrder, in bytes: FileBytes) {
            number = UInt16(order.integer(header[0..<2]))
            type = UInt16(order.integer(header[2..<4]))
            count = UInt32(order.integer(header[4..<8]))
            guard Entry.unitByteCounts.indices.contains(Int(type)) else { return nil }
            let byteCount = UInt64(Entry.unitByteCounts[Int(type)]) * UInt64(count)
            guard 1...UInt64(Entry.valueLimit) ~= byteCount else { return nil }
            let inline = Array(header[8..<8 + min(4, Int(byteCount))])
            let place = Int64(order.integer(header[8..<12]))
            guard let value = byteCount <= 4 ? inline : bytes.bytes(at: place, count: Int(byteCount)) else {
                return nil
            }
            self.value = value
        }

        /// The value as one number.
        func number(_ order: ByteOrder) -> Int64 { Int64(order.integer(value.prefix(4))) }

        static let valueLimit = 32_768
        /// By type: bytes, text, shorts, longs, fractions; then the same signed, and floating point.
        private static let unitByteCounts = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
    }
}

extension ByteOrder {
    /// By the letter that begins a TIFF stream: `I` or `M`.
    init?(tiffMark: UInt8) {
        switch tiffMark {
        case UInt8(ascii: "I"): self = .little
        case UInt8(ascii: "M"): self = .big
        default: return nil
        }
    }

    /// The bytes of a number.
    func bytes(_ value: UInt64, count: Int) -> [UInt8] {
        let big = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return self == .big ? big : big.reversed()
    }
}
