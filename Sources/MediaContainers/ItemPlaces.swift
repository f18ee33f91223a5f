import MediaBytes

/// Where the bytes of the items of a HEIF file lie (`iloc`; ISO/IEC 14496-12, 8.11.3).
struct ItemPlaces {
    private struct Place {
        /// 0 where it lies in the file, 1 where in the `idat` box of the same `meta`.
        var method: UInt64
        var extents: [(offset: UInt64, count: UInt64)] = []
    }

    private let file: FileBytes
    private var data: FileBytes?
    private var places: [UInt64: Place] = [:]

    init(in meta: FileBytes, of file: FileBytes) {
        self.file = file
        let boxes = meta.boxes(from: 4, to: meta.byteCount)
        data = boxes.first { $0.type == "idat" }.flatMap { meta.content(of: $0) }
        guard let box = boxes.first(where: { $0.type == "iloc" }), let content = meta.content(of: box) else { return }
        var cursor = Cursor(content)
        readPlaces(&cursor)
    }

    /// The bytes of an item, a piece at most.
    func bytes(of item: UInt64) -> [UInt8]? {
        guard let place = places[item], place.method < 2, let source = place.method == 0 ? file : data else {
            return nil
        }
        var bytes: [UInt8] = []
        for extent in place.extents {
            // A length of zero is all that there is.
            let rest = source.byteCount - Int64(clamping: extent.offset)
            let count = extent.count == 0 ? rest : Int64(clamping: extent.count)
            guard count <= Int64(FileBytes.pieceLimit - bytes.count),
                let part = source.bytes(at: Int64(clamping: extent.offset), count: Int(clamping: count))
            else { return nil }
            bytes += part
        }
        return bytes
    }

    private mutating func readPlaces(_ cursor: inout Cursor) {
        guard let version = cursor.next(1), version <= 2, cursor.next(3) != nil, let sizes = cursor.next(2),
            let count = cursor.next(version < 2 ? 2 : 4)
        else { return }
        let widths = (0..<4).map { Int(sizes >> (12 - 4 * $0) & 0xF) }
        for _ in 0..<min(count, 4096) {
            guard let id = cursor.next(version < 2 ? 2 : 4),
                let place = place(&cursor, version: version, widths: widths)
            else { return }
            places[id] = place
        }
    }

    private func place(_ cursor: inout Cursor, version: UInt64, widths: [Int]) -> Place? {
        guard let method = version == 0 ? 0 : cursor.next(2), cursor.next(2) != nil,
            let base = cursor.next(widths[2]), let count = cursor.next(2)
        else { return nil }
        var place = Place(method: method & 0xF)
        for _ in 0..<count {
            guard version == 0 || cursor.next(widths[3]) != nil, let offset = cursor.next(widths[0]),
                let byteCount = cursor.next(widths[1])
            else { return nil }
            // More than an honest Exif or XMP item has.
            guard place.extents.count < 64 else { continue }
            let (start, overflow) = base.addingReportingOverflow(offset)
            place.extents.append((overflow ? .max : start, byteCount))
        }
        return place
    }
}

/// Reads numbers one after the other.
private struct Cursor {
    private let bytes: FileBytes
    private var offset: Int64 = 0

    init(_ bytes: FileBytes) { self.bytes = bytes }

    /// The next number of `count` bytes, 8 at most; one of none is zero.
    mutating func next(_ count: Int) -> UInt64? {
        guard count <= 8, let value = bytes.integer(at: offset, count: count) else { return nil }
        offset += Int64(count)
        return value
    }
}
