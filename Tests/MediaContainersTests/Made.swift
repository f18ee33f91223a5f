/// Pieces of containers, made byte by byte.
enum Made {
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
        box(type: type.unicodeScalars.map { UInt8($0.value) }, content)
    }

    static func box(type: [UInt8], _ content: [UInt8]) -> [UInt8] { big(8 + content.count, 4) + type + content }

    /// A box that begins with a version and flags.
    static func full(_ type: String, version: Int = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, big(version << 24, 4) + content)
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count, 4) + ascii(type) + content + [0, 0, 0, 0]
    }

    /// One entry of a directory: a text, or numbers of two or four bytes.
    struct Entry {
        var number: Int
        var type: Int
        var count: Int
        var value: [UInt8]

        static func text(_ number: Int, _ text: String) -> Entry {
            Entry(number: number, type: 2, count: text.utf8.count + 1, value: ascii(text) + [0])
        }

        static func short(_ number: Int, _ value: Int) -> Entry {
            Entry(number: number, type: 3, count: 1, value: big(value, 2))
        }

        static func long(_ number: Int, _ value: Int) -> Entry {
            Entry(number: number, type: 4, count: 1, value: big(value, 4))
        }
    }

    /// A directory that stands at `offset` of its stream, with the values behind it, and the offset of the next one.
    static func directory(_ entries: [Entry], at offset: Int, next: Int = 0) -> [UInt8] {
        var place = offset + 6 + 12 * entries.count
        var header = big(entries.count, 2)
        var values: [UInt8] = []
        for entry in entries {
            header += big(entry.number, 2) + big(entry.type, 2) + big(entry.count, 4)
            if entry.value.count <= 4 {
                header += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
            } else {
                header += big(place, 4)
                values += entry.value
                place += entry.value.count
            }
        }
        return header + big(next, 4) + values
    }

    /// A big-endian TIFF stream of one directory at 8, and what follows it.
    static func tiff(_ entries: [Entry], next: Int = 0) -> [UInt8] {
        ascii("MM") + big(42, 2) + big(8, 4) + directory(entries, at: 8, next: next)
    }
}

extension Made {
    /// A HEIF file with one picture of 64 by 48, an Exif item, and these boxes as properties of the picture.
    static func heif(properties: [[UInt8]] = [], exif: [UInt8] = [], auxiliary: String? = nil) -> [UInt8] {
        let ispe = full("ispe", big(64, 4) + big(48, 4))
        let auxC = auxiliary.map { [full("auxC", ascii($0) + [0])] } ?? []
        let all = [ispe] + properties + auxC
        let indices = (0...properties.count).map { UInt8($0 + 1) | 0x80 }
        var associations = big(1, 2) + [UInt8(indices.count)] + indices
        if auxiliary != nil { associations += big(3, 2) + [1, UInt8(all.count)] }
        let ipma = full("ipma", big(auxiliary == nil ? 1 : 2, 4) + associations)
        let ftyp = box("ftyp", ascii("heic") + big(0, 4) + ascii("mif1heic"))
        let items =
            full("pitm", big(1, 2))
            + full("iinf", big(3, 2) + item(1, "hvc1") + item(2, "Exif") + item(3, "hvc1"))
            + box("iprp", box("ipco", all.flatMap { $0 }) + ipma)
        let ilocByteCount = 12 + 2 + 2 + 2 + 2 + 2 + 4 + 4
        let exifStart = ftyp.count + 12 + items.count + ilocByteCount + 8
        // Offsets and lengths of four bytes, no base offset, one item of one extent.
        let iloc = full(
            "iloc",
            [0x44, 0x00] + big(1, 2) + big(2, 2) + big(0, 2) + big(1, 2) + big(exifStart, 4) + big(exif.count, 4))
        return ftyp + full("meta", items + iloc) + box("mdat", exif)
    }

    private static func item(_ id: Int, _ type: String) -> [UInt8] {
        full("infe", version: 2, big(id, 2) + big(0, 2) + ascii(type) + [0])
    }
}

extension Made {
    /// One data set of IPTC.
    static func dataSet(_ record: UInt8, _ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0x1C, record, number] + big(bytes.count, 2) + bytes
    }

    static func dataSet(_ record: UInt8, _ number: UInt8, _ text: String) -> [UInt8] {
        dataSet(record, number, ascii(text))
    }

    /// Photoshop's resources: another one with a name of three bytes, then IPTC's.
    static func imageResources(_ records: [UInt8]) -> [UInt8] {
        let other = ascii("8BIM") + big(0x03ED, 2) + [3] + ascii("abc") + big(5, 4) + [1, 2, 3, 4, 5, 0]
        return other + ascii("8BIM") + big(0x0404, 2) + [0, 0] + big(records.count, 4) + records
    }
}
