/// Says what a file is by its content.
///
/// Names lie: a name's suffix counts only where content decides nothing.
///
/// Photos and videos are media. Not media: sound alone, documents and archives, text, and SVG, which is a program that
/// draws and can run scripts, not a photograph. Nor are sidecars (XMP, AAE, JSON), which `SidecarKind` tells from text. A truncated or damaged photo is media.
package struct MediaRecogniser: Sendable {
    package enum Verdict: Sendable, Equatable {
        case media(MediaKind)
        /// Content that nothing here knows, under the suffix of a photo or a video: kept, as `MediaKind.unknown`.
        case unknownMedia(MediaKind)
        /// The media type of what it is instead, or `empty`.
        case notMedia(String)
    }

    /// Raised with every change of the rules, so that what older rules skipped is looked at again.
    package static let rulesVersion = 2

    private let magic: LibMagic

    /// Loads libmagic's database; throws where it is missing.
    package init() throws(MediaError) { magic = try LibMagic() }

    /// Judges a file by its ends; `name` is its last path component, as bytes.
    package func recognise(_ file: FileEnds, name: [UInt8]) -> Verdict {
        guard !file.head.isEmpty else { return .notMedia("empty") }
        switch Signature.find(in: file) {
        case .media(let kind): return .media(kind)
        case .notMedia(let type): return .notMedia(type)
        case nil: break
        }
        let type = magic.mimeType(of: file.head) ?? MediaKind.unknown.mimeType
        if let kind = MediaKind(libmagic: type) { return .media(kind) }
        let isKept = !isCertainlyNotMedia(type) && hasMediaSuffix(name)
        return isKept ? .unknownMedia(.unknown) : .notMedia(type)
    }
}

extension MediaKind {
    /// The kind behind a media type as libmagic 5.44 spells it, or nil.
    init?(libmagic type: String) {
        let type = type.lowercased()
        let kind = MediaKind.allCases.first { $0 != .unknown && $0.mimeType == type }
        guard let kind = kind ?? MediaKind.libmagicSpellings[type] else { return nil }
        self = kind
    }

    private static let libmagicSpellings: [String: MediaKind] = [
        "image/x-ms-bmp": .bmp, "image/x-portable-greymap": .pgm, "image/jpx": .jp2, "image/x-jp2-codestream": .j2k,
        "image/heic-sequence": .heic, "image/heif-sequence": .heif, "video/x-ms-asf": .wmv, "video/x-matroska-3d": .mkv,
    ]
}

/// Whether libmagic's answer rules media out even where the name promises it.
///
/// What it half knows does not.
private func isCertainlyNotMedia(_ type: String) -> Bool {
    otherTypes.contains { type.hasPrefix($0) }
}

private let otherTypes = [
    "text/", "audio/", "font/", "message/", "model/", "multipart/", "inode/", "image/svg",
    "application/json", "application/x-ndjson", "application/xml", "application/javascript", "application/pdf",
    "application/postscript", "application/rtf", "application/msword", "application/vnd.ms-",
    "application/vnd.openxmlformats", "application/vnd.oasis", "application/epub", "application/zip",
    "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-7z-compressed",
    "application/x-rar", "application/x-tar", "application/x-executable", "application/x-pie-executable",
    "application/x-sharedlib", "application/x-dosexec", "application/java-archive", "application/x-sqlite3",
    "application/vnd.sqlite3",
]
