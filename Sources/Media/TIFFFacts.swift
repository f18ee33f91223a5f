import MediaBytes

/// The few tags of a TIFF file that tell a camera's RAW from a picture (TIFF 6.0, TIFF/EP, DNG 1.7).
///
/// Bounded against hostile files: at most 32 directories of at most 512 entries, none visited twice.
struct TIFFFacts {
    /// `Make` of the first directory, in upper case.
    private(set) var make = ""
    private(set) var isDNG = false
    /// The first directory holds a reduced picture and names others: a RAW's thumbnail before its sensor data.
    var startsWithPreview: Bool { isReduced && hasSubdirectories }
    /// Some directory holds sensor data: a colour filter array, or a coding that only cameras write.
    private(set) var hasSensorData = false

    private var isReduced = false
    private var hasSubdirectories = false
    private var pending: [Int64] = []
    private var visited: Set<Int64> = []
    private let order: ByteOrder

    init(in file: FileEnds, _ order: ByteOrder) {
        self.order = order
        pending = file.integer(at: 4, count: 4, order).map { [Int64($0)] } ?? []
        while let offset = pending.popLast(), visited.count < 32 {
            guard visited.insert(offset).inserted else { continue }
            readDirectory(at: offset, in: file)
        }
    }

    private mutating func readDirectory(at offset: Int64, in file: FileEnds) {
        let isFirst = visited.count == 1
        guard let count = file.integer(at: offset, count: 2, order), count <= 512 else { return }
        for index in 0..<Int64(count) {
            guard let entry = Entry(in: file, at: offset + 2 + 12 * index, order) else { return }
            note(entry, isFirst, in: file)
        }
        guard let next = file.integer(at: offset + 2 + 12 * Int64(count), count: 4, order), next != 0 else { return }
        pending.append(Int64(next))
    }

    private mutating func note(_ entry: Entry, _ isFirst: Bool, in file: FileEnds) {
        switch entry.tag {
        case 0xFE where isFirst: isReduced = entry.number & 1 == 1
        case 0x0103: hasSensorData = hasSensorData || TIFFFacts.sensorCodings.contains(entry.number)
        // PhotometricInterpretation: CFA, LinearRaw.
        case 0x0106: hasSensorData = hasSensorData || entry.number == 32803 || entry.number == 34892
        case 0x010F where isFirst: make = entry.text(in: file)
        case 0x014A: noteSubdirectories(entry, in: file)
        case 0xC612: isDNG = true
        default: return
        }
    }

    private mutating func noteSubdirectories(_ entry: Entry, in file: FileEnds) {
        hasSubdirectories = true
        guard entry.count > 1 else {
            pending.append(Int64(entry.number))
            return
        }
        for index in 0..<Int64(min(entry.count, 16)) {
            guard let offset = file.integer(at: Int64(entry.number) + 4 * index, count: 4, order) else { return }
            pending.append(Int64(offset))
        }
    }

    /// Compression of Sony, Nikon, Samsung, Kodak and Pentax RAW.
    private static let sensorCodings: Set<UInt64> = [32767, 34713, 32770, 65000, 65535]
}

extension TIFFFacts {
    /// One entry of 12 bytes (TIFF 6.0, section 2).
    private struct Entry {
        let tag: UInt64
        let count: UInt64
        /// The value where it is one short or one long; else the offset of the values.
        let number: UInt64
        private let valueOffset: Int64

        init?(in file: FileEnds, at offset: Int64, _ order: ByteOrder) {
            guard let bytes = file.bytes(at: offset, count: 12) else { return nil }
            let isShort = order.integer(bytes.dropFirst(2).prefix(2)) == 3
            tag = order.integer(bytes.prefix(2))
            count = order.integer(bytes.dropFirst(4).prefix(4))
            number = order.integer(bytes.dropFirst(8).prefix(isShort ? 2 : 4))
            valueOffset = count <= 4 ? offset + 8 : Int64(number)
        }

        func text(in file: FileEnds) -> String {
            let bytes = file.bytes(at: valueOffset, count: Int(min(count, 64))) ?? []
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).uppercased()
        }
    }
}
