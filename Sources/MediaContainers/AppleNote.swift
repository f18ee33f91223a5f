import MediaBytes
package import MediaFacts

/// The fields of Apple's maker note that say what belongs together.
///
/// libexif 0.6.24 gives two bytes of nonsense for its texts, and stops at the first field of a type that EXIF has not.
package struct AppleNote {
    package private(set) var tags: [Tag: String] = [:]

    private static let mark = "Apple iOS\0\0\u{1}MM"
    private static let fields: [UInt16: Tag] = [
        0x000A: .appleHDRImageType, 0x000B: .appleBurstUUID, 0x0011: .appleContentIdentifier,
        0x0014: .appleImageCaptureType,
    ]

    /// Its offsets count from its own first byte, and its directory has no header but the mark.
    package init?(_ note: [UInt8]) {
        guard note.starts(with: AppleNote.mark.utf8) else { return nil }
        let stream = TIFFStream(FileBytes(note), .big, firstDirectory: Int64(AppleNote.mark.utf8.count))
        for entry in stream.entries(at: stream.firstDirectory) {
            guard let tag = AppleNote.fields[entry.number], let text = text(of: entry) else { continue }
            tags[tag] = text
        }
    }

    private func text(of entry: TIFFStream.Entry) -> String? {
        switch entry.type {
        case 2:
            let bytes = entry.value.prefix { $0 != 0 }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        case 9: return entry.value.count >= 4 ? "\(Int32(truncatingIfNeeded: entry.number(.big)))" : nil
        default: return nil
        }
    }
}
