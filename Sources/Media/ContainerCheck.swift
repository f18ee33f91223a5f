/// Whether a file's container says that it is all there.
package enum Completeness: Sendable, Equatable {
    case complete
    /// The container promises bytes, or an end mark, that the file does not have yet.
    case incomplete
    /// The format has no end to look for (TIFF and the RAW built on it, MPEG streams), or an unknown trailer follows.
    case undecidable
}

/// Looks for the end of a file's container, where nothing else tells whether its writer is done (RULES R16d).
///
/// Reads both ends and the headers between them, never the whole: at most 4,096 headers. It judges the container only;
/// the picture inside may still be damaged. `undecidable` is the answer where a guess could call half a file whole.
package struct ContainerCheck<Failure: Error> {
    let byteCount: Int64
    private let read: (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]

    /// `read` gives up to `count` bytes at `offset`, fewer only at the end of the file.
    package init(
        byteCount: Int64, read: @escaping (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) {
        self.byteCount = min(byteCount, 1 << 60)
        self.read = read
    }

    /// The verdict on the file as it is now; throws only what `read` throws.
    package func completeness() throws(Failure) -> Completeness {
        guard byteCount > 0 else { return .incomplete }
        let ends = try FileEnds(byteCount: byteCount, read: read)
        guard case .media(let kind) = Signature.find(in: ends) else { return .undecidable }
        switch kind {
        case .jpeg: return try jpeg()
        case .png, .apng: return try png()
        case .gif: return try gif()
        case .j2k: return try endsWith([0xFF, 0xD9]) ? .complete : .incomplete
        case .webp, .avi: return try riff()
        case .jxl where ends.head.first == 0xFF: return .undecidable
        case .heic, .heif, .avif, .cr3, .jp2, .jxl, .mov, .mp4, .m4v, .mj2, .threeGP, .threeG2:
            return try boxes(from: 0)
        default: return .undecidable
        }
    }

    /// Up to `count` bytes at `offset`, fewer where the file ends; none beyond it.
    func bytes(at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        guard offset >= 0, offset < byteCount else { return [] }
        let wanted = Int(min(Int64(count), byteCount - offset))
        return Array(try read(offset, wanted).prefix(wanted))
    }

    func endsWith(_ expected: [UInt8]) throws(Failure) -> Bool {
        try bytes(at: byteCount - Int64(expected.count), count: expected.count) == expected
    }

    var headerLimit: Int { 4096 }
}
