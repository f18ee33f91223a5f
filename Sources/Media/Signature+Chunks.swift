import MediaBytes

extension Signature {
    /// PNG, and animated PNG by an `acTL` chunk before the first `IDAT`.
    static func png(in file: FileEnds) -> Signature? {
        guard file.has(pngSignature, at: 0) else { return nil }
        var offset = Int64(pngSignature.count)
        for _ in 0..<64 {
            guard let length = file.integer(at: offset, count: 4), !file.has("IDAT", at: offset + 4) else { break }
            if file.has("acTL", at: offset + 4) { return .media(.apng) }
            offset += 12 + Int64(length)
        }
        return .media(.png)
    }

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The form type of a RIFF file.
    static func riff(in file: FileEnds) -> Signature? {
        guard file.has("RIFF", at: 0) else { return nil }
        if file.has("WEBP", at: 8) { return .media(.webp) }
        if file.has("AVI ", at: 8) { return .media(.avi) }
        return file.has("WAVE", at: 8) ? .notMedia("audio/x-wav") : nil
    }

    /// BMP: two letters prove nothing, so the size of the header that follows must be one in use.
    static func bitmap(in file: FileEnds) -> Signature? {
        guard file.has("BM", at: 0), let header = file.integer(at: 14, count: 4, .little),
            [12, 16, 40, 52, 56, 64, 108, 124].contains(header),
            let pixels = file.integer(at: 10, count: 4, .little), pixels >= 14 + header
        else { return nil }
        return .media(.bmp)
    }

    /// Matroska and WebM, told apart by DocType (RFC 8794, section 11.2.3).
    static func matroska(in file: FileEnds) -> Signature? {
        guard file.has([0x1A, 0x45, 0xDF, 0xA3], at: 0), let header = EBMLSize(in: file, at: 4) else { return nil }
        var offset = 4 + header.byteCount
        for _ in 0..<32 {
            // Every element of the header but Void and CRC-32 has an identifier of two bytes.
            let isShort = file.has([0xEC], at: offset) || file.has([0xBF], at: offset)
            let place = offset + (isShort ? 1 : 2)
            guard let size = EBMLSize(in: file, at: place), size.value < 4096 else { break }
            if file.has([0x42, 0x82], at: offset) {
                return .media(file.has("webm", at: place + size.byteCount) ? .webm : .mkv)
            }
            offset = place + size.byteCount + Int64(size.value)
        }
        return .media(.mkv)
    }

    /// The size of an EBML element: the leading zero bits of its first byte say how many bytes it takes.
    private struct EBMLSize {
        let value: UInt64
        let byteCount: Int64

        init?(in file: FileEnds, at offset: Int64) {
            guard let first = file.byte(at: offset), first != 0 else { return nil }
            let count = first.leadingZeroBitCount + 1
            guard let raw = file.integer(at: offset, count: count) else { return nil }
            value = raw & ~(1 << UInt64(7 * count))
            byteCount = Int64(count)
        }
    }
}
