import MediaBytes

extension ContainerCheck {
    /// ISO base media and QuickTime: the top-level boxes add up to the file, and index and data are among them.
    ///
    /// A recorder writes `mdat` first and `moov` last, a phone `meta` first: between the two the sizes add up already.
    func boxes(from start: Int64) throws(Failure) -> Completeness {
        var offset = start
        var seen: Set<FourCC> = []
        for _ in 0..<headerLimit {
            guard offset < byteCount else { return verdict(on: seen) }
            let header = try bytes(at: offset, count: 16)
            guard let box = Box(header: header, at: offset, within: byteCount), box.type.isPlausible else {
                return afterLastBox(header, seen)
            }
            seen.insert(box.type)
            if box.isOpenEnded { return try openEnded(box, seen) }
            guard box.end <= byteCount else { return .incomplete }
            offset = box.end
        }
        return .undecidable
    }

    private func verdict(on seen: Set<FourCC>) -> Completeness {
        if !seen.isDisjoint(with: ["jp2c", "jxlc", "jxlp"]) { return .complete }
        guard !seen.isDisjoint(with: ["moov", "meta"]) else { return .incomplete }
        if seen.contains("mdat") { return .complete }
        // A small HEIF may keep its data inside `meta`, and a movie may refer to another file.
        return .undecidable
    }

    /// Bytes that are no box: QuickTime's terminator of four zeros, a cut header, or a maker's trailer.
    private func afterLastBox(_ rest: [UInt8], _ seen: Set<FourCC>) -> Completeness {
        if rest == [0, 0, 0, 0] { return verdict(on: seen) }
        return rest.count < 8 ? .incomplete : .undecidable
    }

    /// A last box without a size ends where the file ends, and only its content knows where that should be.
    private func openEnded(_ box: Box, _ seen: Set<FourCC>) throws(Failure) -> Completeness {
        if box.type == "jp2c" { return try endsWith([0xFF, 0xD9]) ? .complete : .incomplete }
        return box.type == "mdat" && seen.isDisjoint(with: ["moov", "meta"]) ? .incomplete : .undecidable
    }

    /// RIFF: the size in the header, and the further RIFF chunks that a long AVI appends (OpenDML).
    func riff() throws(Failure) -> Completeness {
        var offset: Int64 = 0
        for _ in 0..<headerLimit {
            let header = try bytes(at: offset, count: 8)
            guard header.count == 8 else { return .incomplete }
            guard header.prefix(4).elementsEqual("RIFF".utf8) else { return .undecidable }
            let size = Int64(ByteOrder.little.integer(header.suffix(4)))
            // A recorder fills the size in when it stops.
            guard size > 0, size <= byteCount - offset - 8 else { return .incomplete }
            offset += 8 + size + size % 2
            if offset >= byteCount { return .complete }
        }
        return .undecidable
    }

    /// GIF: the end of the last block and the trailer (GIF89a, section 27); some writers pad with zeros.
    func gif() throws(Failure) -> Completeness {
        let window = Int64(FileEnds.windowByteCount)
        let tail = try bytes(at: max(0, byteCount - window), count: FileEnds.windowByteCount)
        let last = tail.lastIndex { $0 != 0 } ?? 0
        return tail.prefix(last + 1).suffix(2) == [0, 0x3B] ? .complete : .incomplete
    }

    /// PNG: the chunks lead to IEND (PNG 3, 11.2.5).
    func png() throws(Failure) -> Completeness {
        if try endsWith([0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]) { return .complete }
        var offset = Int64(Signature.pngSignature.count)
        for _ in 0..<headerLimit {
            let header = try bytes(at: offset, count: 8)
            guard header.count == 8 else { return .incomplete }
            offset += 12 + Int64(ByteOrder.big.integer(header.prefix(4)))
            guard offset <= byteCount else { return .incomplete }
            if header.suffix(4).elementsEqual("IEND".utf8) { return .complete }
        }
        return .undecidable
    }
}
