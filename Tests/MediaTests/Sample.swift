import Media

/// Smallest files of each family, built byte by byte: they show a signature, not a picture.
enum Sample {
    static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    /// The ends of a file that has these bytes.
    static func ends(_ bytes: [UInt8]) -> FileEnds {
        FileEnds(byteCount: Int64(bytes.count), read: reader(bytes))
    }

    static func reader(_ bytes: [UInt8]) -> (Int64, Int) -> [UInt8] {
        { offset, count in
            let start = Int(clamping: max(0, offset))
            return start >= bytes.count ? [] : Array(bytes[start..<min(bytes.count, start + count)])
        }
    }

    static func completeness(_ bytes: [UInt8]) -> Completeness {
        ContainerCheck(byteCount: Int64(bytes.count), read: reader(bytes)).completeness()
    }
}

// Stills.
extension Sample {
    /// An Exif segment with a thumbnail that has its own end mark, then a scan, then `trailer`.
    static func jpeg(trailer: [UInt8] = []) -> [UInt8] {
        let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]
        let exif = ascii("Exif\0\0") + thumbnail
        return [0xFF, 0xD8, 0xFF, 0xE1] + big(exif.count + 2, 2) + exif
            + [0xFF, 0xDA, 0, 3, 1] + Array(repeating: 0x55, count: 40) + [0xFF, 0x00, 0xFF, 0xD0, 7, 0xFF, 0xD9]
            + trailer
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count, 4) + ascii(type) + content + (type == "IEND" ? [0xAE, 0x42, 0x60, 0x82] : [0, 0, 0, 0])
    }

    static func png(animated: Bool = false) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", Array(repeating: 1, count: 13))
            + (animated ? chunk("acTL", big(2, 4) + big(0, 4)) : []) + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    }

    static let gif = ascii("GIF89a") + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 1, 0, 0x3B]

    static func riff(_ form: String) -> [UInt8] {
        ascii("RIFF") + little(12, 4) + ascii(form) + ascii("LIST") + [0, 0, 0, 0]
    }

    static let bitmap =
        ascii("BM") + little(58, 4) + [0, 0, 0, 0] + little(54, 4) + little(40, 4) + Array(repeating: 0, count: 40)
}

// ISO base media.
extension Sample {
    static func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
        big(content.count + 8, 4) + ascii(type) + content
    }

    static func fileType(_ major: String, _ compatible: String...) -> [UInt8] {
        box("ftyp", ascii(major) + [0, 0, 0, 0] + ascii(compatible.joined()))
    }

    static func movie(_ handlers: String...) -> [UInt8] {
        let tracks = handlers.map { box("trak", box("mdia", box("hdlr", big(0, 8) + ascii($0) + big(0, 12)))) }
        return box("moov", tracks.flatMap { $0 })
    }

    static let jpeg2000 = box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + fileType("jp2 ", "jp2 ") + box("jp2c", [0xFF, 0xD9])
    static let jpegXL = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + fileType("jxl ", "jxl ") + box("jxlc", [0xFF, 0x0A])
}

// TIFF and streams.
extension Sample {
    struct Tag {
        var number: Int
        var type = 4
        var value: Int
    }

    /// One directory with `tags`, `Make`, and where `sensor` is set a second one that holds a colour filter array.
    static func tiff(_ make: String = "", isBig: Bool = false, tags: [Tag] = [], sensor: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { isBig ? big(value, count) : little(value, count) }
        func entry(_ tag: Tag, count: Int = 1) -> [UInt8] {
            let value = tag.type == 3 ? number(tag.value, 2) + [0, 0] : number(tag.value, 4)
            return number(tag.number, 2) + number(tag.type, 2) + number(count, 4) + value
        }
        let total = tags.count + 1
        let makeOffset = 8 + 2 + 12 * total + 4
        let next = makeOffset + make.utf8.count + 1
        let first =
            tags.flatMap { entry($0) }
            + entry(Tag(number: 0x10F, type: 2, value: makeOffset), count: make.utf8.count + 1)
        let second = number(1, 2) + entry(Tag(number: 0x106, type: 3, value: 32803)) + number(0, 4)
        return ascii(isBig ? "MM" : "II") + number(42, 2) + number(8, 4) + number(total, 2) + first
            + number(sensor ? next : 0, 4) + ascii(make) + [0] + (sensor ? second : [])
    }

    static func matroska(_ type: String) -> [UInt8] {
        let header = [0x42, 0x86, 0x81, 1, 0xEC, 0x81, 0, 0x42, 0x82, 0x80 | UInt8(type.utf8.count)] + ascii(type)
        return [0x1A, 0x45, 0xDF, 0xA3, 0x80 | UInt8(header.count)] + header
    }

    static func packets(_ length: Int, _ start: Int, count: Int) -> [UInt8] {
        let packet = Array(repeating: UInt8(0), count: start) + [0x47] + Array(repeating: 1, count: length - start - 1)
        return (0..<count).flatMap { _ in packet }
    }
}
