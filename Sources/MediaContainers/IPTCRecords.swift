import MediaBytes
package import MediaFacts

/// Title, caption and keywords as IPTC has them, which stand in a JPEG or a TIFF beside XMP or in its place.
///
/// Data sets of record 2 (IPTC-NAA Information Interchange Model 4.2, chapter 6); the coded character set stands in record
/// 1. Bounded against hostile files (S3): 512 data sets, and none longer than two bytes of length can say.
package struct IPTCRecords {
    package let tags: [Tag: String]

    private static let setLimit = 512
    private static let keywordLimit = 256

    /// Of the records themselves, as TIFF has them under 0x83BB; zeros may fill them up.
    package init(_ bytes: [UInt8]) {
        var (title, caption, keywords): ([UInt8]?, [UInt8]?, [[UInt8]]) = (nil, nil, [])
        var isUTF8 = false
        for set in IPTCRecords.sets(of: bytes) {
            switch (set.record, set.number) {
            case (1, 90): isUTF8 = set.value == utf8Escape
            case (2, 5): title = title ?? set.value
            case (2, 25) where keywords.count < IPTCRecords.keywordLimit: keywords.append(set.value)
            case (2, 120): caption = caption ?? set.value
            default: break
            }
        }
        var tags: [Tag: String] = [:]
        tags[.iptcTitle] = title.map { text($0, isUTF8) }
        tags[.iptcCaption] = caption.map { text($0, isUTF8) }
        // One a line, as all lists of the worker.
        let words = keywords.map { text($0, isUTF8).split(whereSeparator: \.isNewline).joined(separator: " ") }
        tags[.iptcKeywords] = words.isEmpty ? nil : words.joined(separator: "\n")
        self.tags = tags
    }

    /// Of Photoshop's image resources, as JPEG has them in APP13: the one with the number 0x0404 (Adobe Photoshop File
    /// Formats, Image Resource Blocks).
    package init?(photoshop bytes: [UInt8]) {
        let file = FileBytes(bytes)
        var offset: Int64 = 0
        for _ in 0..<IPTCRecords.setLimit {
            guard file.has("8BIM", at: offset), let number = file.integer(at: offset + 4, count: 2),
                let nameCount = file.integer(at: offset + 6, count: 1)
            else { return nil }
            // A name with its length has an even number of bytes, and so has what follows.
            let start = offset + 6 + (Int64(nameCount) + 2) / 2 * 2
            guard let count = file.offset(at: start) else { return nil }
            if number == 0x0404 {
                guard let records = file.bytes(at: start + 4, count: Int(count)) else { return nil }
                self.init(records)
                return
            }
            offset = start + 4 + (count + 1) / 2 * 2
        }
        return nil
    }

    private static func sets(of bytes: [UInt8]) -> [(record: UInt8, number: UInt8, value: [UInt8])] {
        var sets: [(record: UInt8, number: UInt8, value: [UInt8])] = []
        var place = 0
        while sets.count < setLimit, place + 5 <= bytes.count, bytes[place] == 0x1C {
            let count = Int(ByteOrder.big.integer(bytes[(place + 3)..<(place + 5)]))
            // The highest bit says that the length itself is longer: no text that is read here is.
            guard count < 0x8000, place + 5 + count <= bytes.count else { break }
            sets.append((bytes[place + 1], bytes[place + 2], Array(bytes[(place + 5)..<(place + 5 + count)])))
            place += 5 + count
        }
        return sets
    }
}

/// ESC % G: all that follows is UTF-8 (ISO 2022).
private let utf8Escape: [UInt8] = [0x1B, 0x25, 0x47]

/// Without a word on the character set, what is no UTF-8 is taken for Latin-1, as most old programs wrote it.
private func text(_ bytes: [UInt8], _ isUTF8: Bool) -> String {
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}
