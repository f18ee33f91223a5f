extension Signature {
    /// ASF: its header names the type of each stream.
    ///
    /// Sound alone is not media.
    static func windowsMedia(in file: FileEnds) -> Signature? {
        guard file.has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], at: 0) else { return nil }
        let hasSound = contains([0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11], in: file.head)
        let hasVideo = contains([0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11], in: file.head)
        return hasSound && !hasVideo ? .notMedia("audio/x-ms-wma") : .media(.wmv)
    }

    /// Flash video with its flag for pictures set.
    static func flash(in file: FileEnds) -> Signature? {
        guard file.has("FLV\u{1}", at: 0), let flags = file.byte(at: 4) else { return nil }
        return flags & 1 == 1 ? .media(.flv) : .notMedia("audio/x-flv")
    }

    /// MPEG program streams (ISO/IEC 13818-1, 2.5.3.3 and 11172-1) and transport streams.
    static func mpeg(in file: FileEnds) -> Signature? {
        if file.has([0, 0, 1, 0xBA], at: 0), let next = file.byte(at: 4), next & 0xC0 == 0x40 || next & 0xF0 == 0x20 {
            return .media(.mpg)
        }
        if isPacketed(file, every: 188, from: 0) { return .media(.ts) }
        return isPacketed(file, every: 192, from: 4) ? .media(.mts) : nil
    }

    /// Whether the sync byte 0x47 heads each of the first eight packets; of a short file, each of four or more.
    private static func isPacketed(_ file: FileEnds, every length: Int, from start: Int) -> Bool {
        let places = Array(stride(from: start, to: file.head.count, by: length).prefix(8))
        return places.count >= 4 && places.allSatisfy { file.head[$0] == 0x47 }
    }

    private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
        guard let first = needle.first, bytes.count >= needle.count else { return false }
        return (0...bytes.count - needle.count).contains {
            bytes[$0] == first && bytes[$0..<$0 + needle.count].elementsEqual(needle)
        }
    }
}
