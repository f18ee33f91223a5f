import MediaBytes

/// The items of a HEIF file: what each is, and which is the picture (`pitm`, `iinf`).
struct ItemTable {
    struct Item {
        var type: FourCC
        /// Of a `mime` item.
        var contentType: String
    }

    private(set) var primary: UInt64?
    private(set) var items: [UInt64: Item] = [:]

    /// Of the content of a `meta` box, which begins with a version and flags.
    init?(in meta: FileBytes) {
        let boxes = meta.boxes(from: 4, to: meta.byteCount)
        guard let list = boxes.first(where: { $0.type == "iinf" }) else { return nil }
        if let box = boxes.first(where: { $0.type == "pitm" }), let version = meta.integer(at: box.content, count: 1) {
            primary = meta.integer(at: box.content + 4, count: version == 0 ? 2 : 4)
        }
        guard let version = meta.integer(at: list.content, count: 1) else { return nil }
        for entry in meta.boxes(in: list, skipping: version == 0 ? 6 : 8) where entry.type == "infe" {
            note(entry, in: meta)
        }
    }

    /// Versions 2 and 3 name the type of an item; older ones are not of HEIF.
    private mutating func note(_ entry: Box, in meta: FileBytes) {
        guard let version = meta.integer(at: entry.content, count: 1), 2...3 ~= version else { return }
        let idByteCount = version == 2 ? 2 : 4
        let type = entry.content + 4 + Int64(idByteCount) + 2
        guard let id = meta.integer(at: entry.content + 4, count: idByteCount),
            let name = meta.bytes(at: type, count: 4)
        else { return }
        let rest = meta.part(from: type + 4, to: min(entry.end, meta.byteCount))
        items[id] = Item(type: FourCC(name), contentType: rest.map(contentType) ?? "")
    }

    /// The second of the strings behind the type, each ended by a zero.
    private func contentType(_ strings: FileBytes) -> String {
        let bytes = strings.bytes(at: 0, count: Int(min(strings.byteCount, 1024))) ?? []
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    func item(_ type: FourCC) -> UInt64? { items.keys.sorted().first { items[$0]?.type == type } }

    func item(contentType: String) -> UInt64? { items.keys.sorted().first { items[$0]?.contentType == contentType } }
}
