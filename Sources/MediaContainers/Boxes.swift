package import MediaBytes

extension FileBytes {
    /// At most this many boxes side by side are looked at.
    private static let boxLimit = 4096

    /// The boxes between two offsets, in their order; the list ends at what is no box, or reaches too far.
    ///
    /// A last box that is cut short by the end is given as far as it goes.
    package func boxes(from start: Int64, to end: Int64) -> [Box] {
        var boxes: [Box] = []
        let end = min(end, byteCount)
        var offset = start
        while offset >= 0, offset <= end - 8, boxes.count < FileBytes.boxLimit {
            guard let header = bytes(at: offset, count: 16) ?? bytes(at: offset, count: 8),
                let box = Box(header: header, at: offset, within: end), box.type.isPlausible
            else { break }
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }

    /// The boxes of the file itself.
    package var boxes: [Box] { boxes(from: 0, to: byteCount) }

    /// The boxes within a box, behind `skipping` bytes of its own.
    package func boxes(in box: Box, skipping count: Int64 = 0) -> [Box] {
        boxes(from: box.content + count, to: box.end)
    }

    /// The content of a box as a file of its own, where it is no longer than a piece.
    package func content(of box: Box) -> FileBytes? { part(from: box.content, to: min(box.end, byteCount)) }

    /// The first box that is reached by these names one within the other.
    package func box(_ path: FourCC...) -> Box? {
        var inside = boxes
        for (depth, name) in path.enumerated() {
            guard let box = inside.first(where: { $0.type == name }) else { return nil }
            if depth == path.count - 1 { return box }
            inside = boxes(in: box)
        }
        return nil
    }
}
