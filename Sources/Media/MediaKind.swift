package import PhotoModel

/// The format of a media file, as its bytes say.
///
/// The raw value is the format's short name, kept in the catalogue: a value in use is never renamed.
/// Everything here follows from the content, nothing from the file's name. Formats that share a container
/// and differ only for a decoder are one kind: MPO is `jpeg`, NRW is `nef`, RWL is `rw2`, PSB is `psd`.
package enum MediaKind: String, Sendable, Codable, CaseIterable {
    case jpeg, png, apng, gif, webp, bmp, tiff, psd, exr, hdr, ppm, pgm
    case heic, heif, avif, jp2, j2k, jxl, jxr
    case dng, cr2, cr3, crw, nef, arw, rw2, orf, raf, pef, srw, x3f, mrw, iiq, erf, dcr, mos, mef
    case hasselblad = "3fr"
    case mov, mp4, m4v, mj2, mts, ts, mpg, mkv, webm, avi, wmv, flv, ogv, mxf
    case threeGP = "3gp"
    case threeG2 = "3g2"
    /// Bytes that nothing here knows, under a name that promises media.
    case unknown

    /// What stored bytes were recognised as; nil where another albumd stored them as something that is not known here.
    package init?(of content: Content) {
        let kind = MediaKind.allCases.first {
            $0.mimeType == content.contentType && $0.preferredExtension == content.fileExtension
        }
        guard let kind else { return nil }
        self = kind
    }

    package var mediaType: MediaType { MediaType(contentType: mimeType) }

    /// The extension of a stored original, without the dot: `originals/ab/<sha256>.<extension>`.
    package var preferredExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .apng: "png"
        case .tiff: "tif"
        case .unknown: "bin"
        default: rawValue
        }
    }

    /// The Internet media type: IANA's where there is one, else the one that shared-mime-info uses.
    package var mimeType: String {
        switch self {
        case .bmp: "image/bmp"
        case .psd: "image/vnd.adobe.photoshop"
        case .exr: "image/x-exr"
        case .hdr: "image/vnd.radiance"
        case .ppm: "image/x-portable-pixmap"
        case .pgm: "image/x-portable-graymap"
        case .j2k: "image/j2c"
        case .jpeg, .png, .apng, .gif, .webp, .tiff, .heic, .heif, .avif, .jp2, .jxl, .jxr: "image/\(rawValue)"
        case .dng, .cr2, .cr3, .crw, .nef, .arw, .rw2, .orf, .raf, .pef, .srw, .x3f, .mrw, .iiq, .erf, .dcr, .mos,
            .mef, .hasselblad:
            "image/x-\(maker)-\(rawValue)"
        case .mov: "video/quicktime"
        case .mp4, .mj2: "video/\(rawValue)"
        case .m4v: "video/x-m4v"
        case .mts, .ts: "video/mp2t"
        case .mpg: "video/mpeg"
        case .mkv: "video/x-matroska"
        case .webm: "video/webm"
        case .avi: "video/x-msvideo"
        case .wmv: "video/x-ms-wmv"
        case .flv: "video/x-flv"
        case .ogv: "video/ogg"
        case .mxf: "application/mxf"
        case .threeGP: "video/3gpp"
        case .threeG2: "video/3gpp2"
        case .unknown: "application/octet-stream"
        }
    }

    /// Whose RAW format it is, as the media types of shared-mime-info spell it; empty for all others.
    private var maker: String {
        switch self {
        case .dng: "adobe"
        case .cr2, .cr3, .crw: "canon"
        case .nef: "nikon"
        case .arw: "sony"
        case .rw2: "panasonic"
        case .orf: "olympus"
        case .raf: "fuji"
        case .pef: "pentax"
        case .srw: "samsung"
        case .x3f: "sigma"
        case .mrw: "minolta"
        case .iiq: "phaseone"
        case .erf: "epson"
        case .dcr: "kodak"
        case .mos: "leaf"
        case .mef: "mamiya"
        case .hasselblad: "hasselblad"
        default: ""
        }
    }
}
