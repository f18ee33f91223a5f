import MediaBytes
package import MediaFacts

/// Apple's metadata of the tracks of a movie: keys and values of text (QuickTime File Format, "Metadata").
///
/// libav reads those of the movie itself, and passes over those of its tracks, where the capture mode and the lens are.
package struct MovieKeys {
    package private(set) var tags: [Tag: String] = [:]

    private static let trackLimit = 64
    private static let keyLimit = 256
    private static let known: [String: Tag] = [
        "com.apple.photos.captureMode": .quickTimeCaptureMode,
        "com.apple.quicktime.capture-mode": .quickTimeCaptureMode,
        "com.apple.quicktime.camera.lens_model": .quickTimeLensModel,
    ]

    package init(in file: FileBytes) {
        guard let movie = file.boxes.first(where: { $0.type == "moov" }) else { return }
        for track in file.boxes(in: movie).filter({ $0.type == "trak" }).prefix(MovieKeys.trackLimit) {
            for meta in file.boxes(in: track) where meta.type == "meta" { readMeta(meta, in: file) }
        }
    }

    private mutating func readMeta(_ meta: Box, in file: FileBytes) {
        // ISO's box of that name has a version before its content, Apple's has not.
        let skipped: Int64 = file.has("hdlr", at: meta.content + 4) ? 0 : 4
        let parts = file.boxes(in: meta, skipping: skipped)
        guard let keys = parts.first(where: { $0.type == "keys" }), let list = parts.first(where: { $0.type == "ilst" })
        else { return }
        let names = names(keys, in: file)
        // The type of an item is the number of its key, from 1: no characters, so that `boxes` would end there.
        var offset = list.content
        for _ in 0..<MovieKeys.keyLimit {
            guard let header = file.bytes(at: offset, count: 8),
                let item = Box(header: header, at: offset, within: list.end),
                item.end <= list.end
            else { return }
            if let tag = names[Int(item.type.value)].flatMap({ MovieKeys.known[$0] }), tags[tag] == nil {
                tags[tag] = text(item, in: file)
            }
            offset = item.end
        }
    }

    private func names(_ keys: Box, in file: FileBytes) -> [Int: String] {
        var names: [Int: String] = [:]
        var offset = keys.content + 8
        for index in 1...MovieKeys.keyLimit {
            guard let count = file.offset(at: offset), 8...1024 ~= count, offset + count <= keys.end,
                let name = file.bytes(at: offset + 8, count: Int(count) - 8)
            else { break }
            names[index] = String(decoding: name, as: UTF8.self)
            offset += count
        }
        return names
    }

    /// The value of type 1, UTF-8, behind its type and its language.
    private func text(_ item: Box, in file: FileBytes) -> String? {
        guard let value = file.boxes(in: item).first(where: { $0.type == "data" }),
            file.offset(at: value.content) == 1, value.end <= item.end, value.end - value.content - 8 <= 4096,
            let bytes = file.bytes(at: value.content + 8, count: Int(value.end - value.content - 8)), !bytes.isEmpty
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
