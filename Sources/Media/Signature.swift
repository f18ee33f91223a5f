/// What the bytes of a file prove by themselves, before libmagic is asked.
enum Signature: Equatable {
    case media(MediaKind)
    /// A container that media share, without a picture in it; its media type.
    case notMedia(String)
}

extension Signature {
    /// The one signature that the file bears, or nil.
    static func find(in file: FileEnds) -> Signature? {
        fixed(in: file) ?? png(in: file) ?? isoMedia(in: file) ?? tiff(in: file) ?? riff(in: file) ?? bitmap(in: file)
            ?? matroska(in: file) ?? windowsMedia(in: file) ?? flash(in: file) ?? mpeg(in: file)
    }

    /// Formats told by constant bytes at a constant place.
    private static func fixed(in file: FileEnds) -> Signature? {
        let row = constants.first { file.has($0.bytes, at: $0.offset) }
        return row.map { .media($0.kind) }
    }

    private static func row(_ kind: MediaKind, _ text: String, at offset: Int64 = 0) -> Constant {
        Constant(kind: kind, offset: offset, bytes: Array(text.utf8))
    }

    private struct Constant: Sendable {
        var kind: MediaKind
        var offset: Int64 = 0
        var bytes: [UInt8]
    }

    private static let constants: [Constant] = [
        Constant(kind: .jpeg, bytes: [0xFF, 0xD8, 0xFF]),
        row(.gif, "GIF87a"), row(.gif, "GIF89a"),
        // JPEG XL, bare codestream and container (ISO/IEC 18181-2).
        Constant(kind: .jxl, bytes: [0xFF, 0x0A]),
        Constant(kind: .jxl, bytes: [0, 0, 0, 0x0C] + Array("JXL \r\n".utf8) + [0x87, 0x0A]),
        // JPEG 2000 codestream: SOC, SIZ (ISO/IEC 15444-1, A.4).
        Constant(kind: .j2k, bytes: [0xFF, 0x4F, 0xFF, 0x51]),
        Constant(kind: .jxr, bytes: [0x49, 0x49, 0xBC, 0x01]),
        Constant(kind: .psd, bytes: Array("8BPS".utf8) + [0, 1]),
        Constant(kind: .psd, bytes: Array("8BPS".utf8) + [0, 2]),
        Constant(kind: .exr, bytes: [0x76, 0x2F, 0x31, 0x01]),
        // Camera RAW that is not plain TIFF.
        row(.rw2, "IIU\0"), row(.orf, "IIRO"), row(.orf, "IIRS"), row(.orf, "MMOR"),
        row(.raf, "FUJIFILMCCD-RAW"), row(.x3f, "FOVb"), row(.mrw, "\0MRM"), row(.crw, "HEAPCCDR", at: 6),
        // MXF header partition pack (SMPTE ST 377-1).
        Constant(kind: .mxf, bytes: [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02]),
    ]
}
