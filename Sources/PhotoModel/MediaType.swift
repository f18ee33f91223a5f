/// What an asset is to the person who looks at it: PhotoKit's `PHAssetMediaType`, by name.
///
/// `audio` stands here because PhotoKit has it; the importer makes no asset of sound alone.
package enum MediaType: String, Codable, Sendable, CaseIterable {
    case image
    case video
    case audio
    case unknown

    /// What bytes of an Internet media type are; application/octet-stream is nothing known.
    package init(contentType: String) {
        if contentType.hasPrefix("image/") {
            self = .image
        } else {
            // MXF is the one video whose registered type is not video/* (RFC 4539).
            self = contentType.hasPrefix("video/") || contentType == "application/mxf" ? .video : .unknown
        }
    }

    /// Whether bytes of an Internet media type are a camera's RAW, as `image/x-canon-cr2` is.
    package static func isRaw(contentType: String) -> Bool {
        guard contentType.hasPrefix("image/x-") else { return false }
        return rawFormats.contains(String(contentType.split(separator: "-").last ?? ""))
    }

    private static let rawFormats: Set<String> = [
        "dng", "cr2", "cr3", "crw", "nef", "arw", "rw2", "orf", "raf", "pef", "srw", "x3f", "mrw", "iiq", "erf", "dcr",
        "mos", "mef", "3fr",
    ]

    /// The raw number of `PHAssetMediaType`: unknown 0, image 1, video 2, audio 3.
    package var photoKitRawValue: Int {
        switch self {
        case .unknown: 0
        case .image: 1
        case .video: 2
        case .audio: 3
        }
    }
}
