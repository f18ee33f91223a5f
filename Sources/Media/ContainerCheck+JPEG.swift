import MediaBytes

extension ContainerCheck {
    /// JPEG: an end-of-image mark behind the scan of each picture in the file, and nothing unknown after the last.
    ///
    /// The thumbnail in the metadata has an end mark too, so only what follows the start of the scan counts. Known to
    /// follow a picture: another one (MPO, gain map), an MP4 (motion photo), Samsung's trailer, zeros.
    func jpeg() throws(Failure) -> Completeness {
        if try endsWith(Array("SEFT".utf8)) { return .complete }
        var start: Int64 = 0
        for _ in 0..<8 {
            switch try endOfPicture(at: start) {
            case .cut: return .incomplete
            case .foreign: return try endsWith([0xFF, 0xD9]) ? .complete : .undecidable
            case .found(let end):
                guard let next = try pictureAfter(end) else { return try trailer(at: end) }
                start = next
            }
        }
        return .undecidable
    }

    private func endOfPicture(at start: Int64) throws(Failure) -> JPEGSearch {
        let search = try startOfScan(at: start)
        guard case .found(let scan) = search else { return search }
        let window = Int64(FileEnds.windowByteCount)
        let from = max(scan, byteCount - window)
        let tail = try bytes(at: from, count: FileEnds.windowByteCount)
        return JPEGSearch.endOfImage(in: tail, startingAt: from)
    }

    /// Walks the marker segments to the entropy-coded data (ITU-T T.81, annex B).
    private func startOfScan(at start: Int64) throws(Failure) -> JPEGSearch {
        var offset = start + 2
        for _ in 0..<headerLimit {
            let header = try bytes(at: offset, count: 4)
            guard header.count == 4 else { return .cut }
            guard header[0] == 0xFF, header[1] != 0, header[1] != 0xD9 else { return .foreign }
            switch header[1] {
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD8: offset += 2
            default: offset += 2 + Int64(ByteOrder.big.integer(header.suffix(2)))
            }
            if header[1] == 0xDA { return offset <= byteCount ? .found(offset) : .cut }
        }
        return .foreign
    }

    /// Where the next JPEG starts behind `end`, past the zeros that align it.
    private func pictureAfter(_ end: Int64) throws(Failure) -> Int64? {
        let rest = try bytes(at: end, count: FileEnds.windowByteCount)
        guard let first = rest.firstIndex(where: { $0 != 0 }) else { return nil }
        return rest[first...].starts(with: [0xFF, 0xD8, 0xFF]) ? end + Int64(first) : nil
    }

    private func trailer(at end: Int64) throws(Failure) -> Completeness {
        let rest = try bytes(at: end, count: FileEnds.windowByteCount)
        if rest.allSatisfy({ $0 == 0 }) { return .complete }
        return rest.dropFirst(4).starts(with: "ftyp".utf8) ? try boxes(from: end) : .undecidable
    }
}

/// What became of looking for a place in a JPEG.
enum JPEGSearch {
    case found(Int64)
    /// All was in order until the bytes ran out.
    case cut
    /// These bytes are not what a JPEG has here.
    case foreign

    /// One past the first end-of-image mark in entropy-coded data, which may begin in its middle.
    static func endOfImage(in bytes: [UInt8], startingAt base: Int64) -> JPEGSearch {
        var index = 0
        while let mark = bytes[index...].firstIndex(of: 0xFF) {
            guard mark + 1 < bytes.count else { return .cut }
            switch bytes[mark + 1] {
            case 0xD9: return .found(base + Int64(mark) + 2)
            case 0x00, 0xD0...0xD7: index = mark + 2
            case 0xFF: index = mark + 1
            // Tables and scan headers between the scans of a progressive picture.
            case 0xC4, 0xDA...0xDD, 0xFE:
                guard mark + 3 < bytes.count else { return .cut }
                index = mark + 2 + Int(ByteOrder.big.integer(bytes[mark + 2...mark + 3]))
            default: return .foreign
            }
            guard index <= bytes.count else { return .cut }
        }
        return .cut
    }
}
