import MediaBytes

/// The properties of the items of a HEIF file, and which item has which (`iprp`; ISO/IEC 23008-12, 9.3).
struct ItemProperties {
    /// What the boxes of the properties lie in.
    private(set) var content: FileBytes?
    private var all: [Box] = []
    private var indices: [UInt64: [Int]] = [:]

    init(in meta: FileBytes) {
        guard let box = meta.boxes(from: 4, to: meta.byteCount).first(where: { $0.type == "iprp" }),
            let content = meta.content(of: box)
        else { return }
        self.content = content
        if let container = content.boxes.first(where: { $0.type == "ipco" }) { all = content.boxes(in: container) }
        for association in content.boxes where association.type == "ipma" { readAssociations(association, content) }
    }

    /// In the order in which they apply.
    func properties(of item: UInt64) -> [Box] {
        (indices[item] ?? []).compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
    }

    /// What `auxC` calls the items that have it.
    func auxiliaryNames(of items: [UInt64]) -> [String] {
        guard let content else { return [] }
        return items.flatMap { properties(of: $0) }.filter { $0.type == "auxC" }.prefix(32).map { property in
            let count = min(property.end, content.byteCount) - property.content - 4
            let bytes = content.bytes(at: property.content + 4, count: Int(min(max(count, 0), 256))) ?? []
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private mutating func readAssociations(_ box: Box, _ content: FileBytes) {
        guard let head = content.integer(at: box.content, count: 4),
            let count = content.integer(at: box.content + 4, count: 4)
        else { return }
        let idByteCount = head >> 24 == 0 ? 2 : 4
        let indexByteCount = head & 1 == 0 ? 1 : 2
        var offset = box.content + 8
        for _ in 0..<min(count, 4096) where offset < box.end {
            guard let id = content.integer(at: offset, count: idByteCount),
                let indexCount = content.integer(at: offset + Int64(idByteCount), count: 1),
                let raw = content.bytes(
                    at: offset + Int64(idByteCount) + 1, count: Int(indexCount) * indexByteCount)
            else { return }
            indices[id, default: []] += stride(from: 0, to: raw.count, by: indexByteCount).map { place in
                // The top bit says that the property is essential.
                indexByteCount == 1 ? Int(raw[place] & 0x7F) : Int(raw[place] & 0x7F) << 8 | Int(raw[place + 1])
            }
            offset += Int64(idByteCount) + 1 + Int64(raw.count)
        }
    }
}
