/// The outermost dictionary of a binary property list, as far as its values are text or whole numbers.
///
/// The format is Apple's (CFBinaryPList.c in CoreFoundation's published source): a trailer of 32 bytes at the end names
/// the size of references, the number of objects, the outermost object, and where the table of their offsets lies.
/// Every number in it is doubted; no object is followed twice.
enum BinaryPropertyList {
    static func outermost(_ bytes: [UInt8]) -> [String: String] {
        guard let list = Layout(bytes), let top = list.offset(of: list.topObject),
            let count = list.count(at: top, type: 0xD), count.value <= 256
        else { return [:] }
        var values: [String: String] = [:]
        for index in 0..<count.value {
            let key = count.end + index * list.referenceSize
            guard let name = list.text(reference: key),
                let value = list.text(reference: key + count.value * list.referenceSize)
            else { continue }
            values[name] = value
        }
        return values
    }
}

private struct Layout {
    let bytes: [UInt8]
    let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let topObject: Int
    let offsetTable: Int

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 40 else { return nil }
        let trailer = bytes.count - 32
        self.bytes = bytes
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = integer(bytes, at: trailer + 8, 8), let top = integer(bytes, at: trailer + 16, 8),
            let table = integer(bytes, at: trailer + 24, 8), top < count, count <= bytes.count, table < trailer
        else { return nil }
        (objectCount, topObject, offsetTable) = (count, top, table)
    }

    func offset(of object: Int) -> Int? {
        guard object < objectCount else { return nil }
        return integer(bytes, at: offsetTable + object * offsetSize, offsetSize)
    }

    /// The text of the object that the reference at a place names, or its whole number as text.
    func text(reference place: Int) -> String? {
        guard let object = integer(bytes, at: place, referenceSize), let start = offset(of: object) else { return nil }
        if let count = count(at: start, type: 0x5), let part = part(count.end, count.value) {
            return String(validating: part, as: UTF8.self)
        }
        if let count = count(at: start, type: 0x6), let part = part(count.end, count.value * 2) {
            let units = stride(from: part.startIndex, to: part.endIndex, by: 2).map {
                UInt16(part[$0]) << 8 | UInt16(part[$0 + 1])
            }
            return String(validating: units, as: UTF16.self)
        }
        guard let marker = bytes.indices.contains(start) ? bytes[start] : nil, (0x10...0x13).contains(marker) else {
            return nil
        }
        return integer(bytes, at: start + 1, 1 << Int(marker & 0xF)).map(String.init)
    }

    /// The number of elements of an object of a type, and where they begin; at most 4,096.
    func count(at start: Int, type: UInt8) -> (value: Int, end: Int)? {
        guard bytes.indices.contains(start), bytes[start] >> 4 == type else { return nil }
        let low = Int(bytes[start] & 0xF)
        guard low == 0xF else { return (low, start + 1) }
        guard bytes.indices.contains(start + 1), (0x10...0x13).contains(bytes[start + 1]) else { return nil }
        let size = 1 << Int(bytes[start + 1] & 0xF)
        guard let value = integer(bytes, at: start + 2, size), value <= 4096 else { return nil }
        return (value, start + 2 + size)
    }

    private func part(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard start >= 0, start + count <= bytes.count else { return nil }
        return bytes[start..<start + count]
    }
}

/// A big-endian number of so many bytes; nil where it lies outside, or is beyond 2^40, which no file here reaches.
private func integer(_ bytes: [UInt8], at start: Int, _ size: Int) -> Int? {
    guard start >= 0, start <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] {
        guard value < 1 << 40 else { return nil }
        value = value << 8 | UInt64(byte)
    }
    return value < 1 << 40 ? Int(value) : nil
}
