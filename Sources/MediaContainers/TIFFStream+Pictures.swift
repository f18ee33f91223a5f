import MediaBytes
package import MediaFacts

extension TIFFStream {
    private static let directoryLimit = 32

    /// The size of the picture that a RAW file is about: of the largest directory that calls itself no reduction.
    ///
    /// The directories follow each other, and some name others (`SubIFDs`). None is visited twice, 32 at most.
    package var pictureSize: PixelSize? {
        var pending = [firstDirectory]
        var visited: Set<Int64> = []
        var full: PixelSize?
        while let offset = pending.popLast(), visited.count < TIFFStream.directoryLimit {
            guard visited.insert(offset).inserted else { continue }
            let entries = entries(at: offset)
            pending += followers(of: entries, at: offset)
            guard let size = size(in: entries) else { continue }
            full = full.map { $0.width * $0.height >= size.width * size.height ? $0 : size } ?? size
        }
        return full
    }

    private func number(_ wanted: UInt16, in entries: [Entry]) -> Int? {
        guard let entry = entries.first(where: { $0.number == wanted }), entry.value.count >= 2 else { return nil }
        return Int(entry.type == 3 ? order.integer(entry.value.prefix(2)) : order.integer(entry.value.prefix(4)))
    }

    /// Panasonic states the borders of the picture on the sensor instead: top, left, bottom, right.
    private func size(in entries: [Entry]) -> PixelSize? {
        if let width = number(0x0100, in: entries), let height = number(0x0101, in: entries) {
            guard number(0x00FE, in: entries) == 0 else { return nil }
            return PixelSize(width: min(width, 1 << 30), height: min(height, 1 << 30))
        }
        let borders = (UInt16(4)...7).compactMap { number($0, in: entries) }
        guard borders.count == 4, borders[2] > borders[0], borders[3] > borders[1] else { return nil }
        return PixelSize(width: borders[3] - borders[1], height: borders[2] - borders[0])
    }

    /// What is read last is visited first: so the first of them comes last.
    private func followers(of entries: [Entry], at offset: Int64) -> [Int64] {
        var followers: [Int64] = []
        if let next = nextDirectory(after: offset), next != 0 { followers.append(next) }
        if let named = entries.first(where: { $0.number == 0x014A }) {
            let places = stride(from: 0, to: min(named.value.count, 64), by: 4).map {
                Int64(order.integer(named.value[$0..<min($0 + 4, named.value.count)]))
            }
            followers += places.reversed()
        }
        return followers
    }
}
