import Platform

/// Small whole media files made in code: another number, other bytes.
///
/// They can be decoded, all but the movie, which has every box and no frame.
package enum SampleMedia {
    /// A grey JPEG of 8 by 8 pixels whose comment holds the number; padded to about `byteCount` by further comments.
    package static func jpeg(_ number: Int, byteCount: Int = 0) -> [UInt8] {
        let head: [UInt8] = [0xFF, 0xD8] + segment(0xE0, ascii("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        let comment = segment(0xFE, ascii("number \(number)"))
        return head + comment + padding(byteCount - 350, number) + tables + greyScan
    }

    /// A grey PNG of one pixel.
    package static func png(_ number: Int) -> [UInt8] {
        let pixel: [UInt8] = [0x78, 0x01, 0x01, 2, 0, 0xFD, 0xFF, 0, 0x80] + big(0x0082_0081, 4)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(1, 4) + big(1, 4) + [8, 0, 0, 0, 0]) + chunk("tEXt", ascii("Comment\0number \(number)"))
            + chunk("IDAT", pixel) + chunk("IEND", [])
    }

    /// A GIF of one pixel.
    package static func gif(_ number: Int) -> [UInt8] {
        let comment = ascii("number \(number)")
        return ascii("GIF89a") + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
            + [0x21, 0xFE, UInt8(comment.count)] + comment + [0]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    /// A movie with one video track; `brand` is `isom` for MP4, `qt  ` for QuickTime.
    package static func movie(_ number: Int, brand: String = "isom", byteCount: Int = 0) -> [UInt8] {
        let handler = box("hdlr", big(0, 8) + ascii("vide") + big(0, 12) + [0])
        let media = box("mdia", box("mdhd", big(0, 12) + big(1000, 4) + big(0, 8)) + handler + box("minf"))
        let movie = box("moov", box("mvhd", big(0, 12) + big(1000, 4) + big(0, 84)) + box("trak", media))
        let filling = noise(max(8, byteCount - 300), number)
        return box("ftyp", ascii(brand) + big(0, 4) + ascii(brand)) + box("free", ascii("number \(number)"))
            + box("mdat", filling) + movie
    }

    /// The beginning of a HEIC: enough to be known for one, by its brands.
    package static func heic(_ number: Int) -> [UInt8] {
        box("ftyp", ascii("heic") + big(0, 4) + ascii("mif1heic")) + box("meta", big(0, 4))
            + box("mdat", ascii("number \(number)"))
    }

    /// Bytes that repeat for the same number and look like nothing.
    package static func noise(_ count: Int, _ number: Int) -> [UInt8] {
        var generator = SeededRandom(seed: UInt64(truncatingIfNeeded: number))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) { bytes += $0 }
        }
        return Array(bytes.prefix(count))
    }
}

// JPEG: one component, and Huffman tables with one code each (ITU T.81, annex B).
extension SampleMedia {
    private static let tables: [UInt8] =
        segment(0xDB, [0] + Array(repeating: 1, count: 64)) + segment(0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        + segment(0xC4, [0x00, 1] + Array(repeating: 0, count: 15) + [0])
        + segment(0xC4, [0x10, 1] + Array(repeating: 0, count: 15) + [0])
    /// One block: no difference in brightness, nothing else.
    private static let greyScan: [UInt8] = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x3F, 0xFF, 0xD9]

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(content.count + 2, 2) + content
    }

    private static func padding(_ byteCount: Int, _ number: Int) -> [UInt8] {
        var result: [UInt8] = []
        var rest = byteCount
        while rest > 0 {
            let part = noise(min(rest, 65_000), number &* 31 &+ rest)
            result += segment(0xFE, part)
            rest -= part.count
        }
        return result
    }
}

// Boxes, chunks, numbers.
extension SampleMedia {
    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    private static func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
        big(content.count + 8, 4) + ascii(type) + content
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = ascii(type) + content
        return big(content.count, 4) + body + big(Int(crc(body)), 4)
    }

    /// The checksum of a chunk (PNG specification, annex D).
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
    }
}
