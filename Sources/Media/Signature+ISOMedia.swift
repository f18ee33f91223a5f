import MediaBytes
import PhotoModel

extension Signature {
    /// ISO base media and QuickTime: HEIF, AVIF, CR3, JPEG 2000, MOV, MP4, 3GP.
    ///
    /// Sound alone is not media.
    static func isoMedia(in file: FileEnds) -> Signature? {
        if file.has([0, 0, 0, 0x0C] + Array("jP  \r\n".utf8) + [0x87, 0x0A], at: 0) {
            return .media(FileTypeBox(in: file, at: 12)?.major == "mjp2" ? .mj2 : .jp2)
        }
        if let brands = FileTypeBox(in: file, at: 0) { return signature(of: brands, in: file) }
        return startsAsOldQuickTime(file) ? soundOnly(in: file) ?? .media(.mov) : nil
    }

    private static func signature(of brands: FileTypeBox, in file: FileEnds) -> Signature {
        if soundBrands.contains(brands.major) { return .notMedia("audio/mp4") }
        let kind = pictureKind(of: brands) ?? videoKind(of: brands.major)
        return kind.mediaType == .image ? .media(kind) : soundOnly(in: file) ?? .media(kind)
    }

    private static func soundOnly(in file: FileEnds) -> Signature? {
        MovieTracks(in: file).isSoundOnly ? .notMedia("audio/mp4") : nil
    }

    /// A still or a sequence of stills.
    ///
    /// `mif1` and `msf1` say only HEIF: the compatible brands name the coding.
    private static func pictureKind(of brands: FileTypeBox) -> MediaKind? {
        if let kind = pictureBrands[brands.major] { return kind }
        guard heifBrands.contains(brands.major) else { return nil }
        return brands.compatible.lazy.compactMap { pictureBrands[$0] }.first ?? .heif
    }

    private static func videoKind(of major: FourCC) -> MediaKind {
        switch major.value >> 8 {
        case FourCC("\03gp").value, FourCC("\03ge").value, FourCC("\03gg").value, FourCC("\03gr").value,
            FourCC("\03gs").value:
            .threeGP
        case FourCC("\03g2").value: .threeG2
        case FourCC("\0M4V").value: .m4v
        default: major == "qt  " ? .mov : .mp4
        }
    }

    /// Brands of the MP4 registration authority, of ISO/IEC 23008-12 (HEIF), and of the AVIF specification.
    private static let pictureBrands: [FourCC: MediaKind] = [
        "crx ": .cr3, "avif": .avif, "avis": .avif,
        "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic,
        "hevc": .heic, "hevx": .heic, "hevm": .heic, "hevs": .heic,
    ]
    private static let heifBrands: Set<FourCC> = [
        "mif1", "mif2", "msf1", "miaf", "jpeg", "jpgs", "avci", "avcs", "1pic",
    ]
    private static let soundBrands: Set<FourCC> = ["M4A ", "M4B ", "M4P ", "F4A ", "F4B "]

    /// A QuickTime file from before `ftyp`: it starts with one of a few atoms, of a credible size.
    private static func startsAsOldQuickTime(_ file: FileEnds) -> Bool {
        guard let box = file.box(at: 0, within: file.byteCount) else { return false }
        switch box.type {
        // A truncated movie's atom ends past the file; the size of a text's is printable, thus half a gigabyte or more.
        case "moov", "mdat": return box.isOpenEnded || box.end <= file.byteCount || box.end < 0x2000_0000
        case "wide", "free", "skip", "pnot":
            guard !box.isOpenEnded, box.end <= file.byteCount else { return false }
            return file.bytes(at: box.end, count: 8) == nil
                || file.box(at: box.end, within: file.byteCount)?.type.isPlausible ?? false
        default: return false
        }
    }
}

/// The box that says what an ISO base media file is (ISO/IEC 14496-12, 4.3).
struct FileTypeBox {
    let major: FourCC
    /// At most 64 of them.
    let compatible: [FourCC]

    init?(in file: FileEnds, at offset: Int64) {
        guard let box = file.box(at: offset, within: file.byteCount), box.type == "ftyp", !box.isOpenEnded,
            box.end - offset <= 4096, let major = file.bytes(at: box.content, count: 4)
        else { return nil }
        self.major = FourCC(major)
        let places = stride(from: box.content + 8, to: min(box.end, box.content + 8 + 4 * 64), by: 4)
        compatible = places.compactMap { file.bytes(at: $0, count: 4).map { FourCC($0) } }
    }
}
