package import PhotoModel

/// A sidecar by its name and its bytes: the name says which kind it may be, and the bytes whether it is.
extension SidecarKind {
    /// Longer ones are none: an XMP with a picture in it, another program's JSON.
    package static let byteLimit = 8 << 20

    /// Nil where the bytes are something else than the name promises.
    package init?(reading bytes: [UInt8], named name: [UInt8]) {
        guard bytes.count <= Self.byteLimit, let kind = SidecarKind(named: name) else { return nil }
        let isIt =
            switch kind {
            case .xmp: hasXMP(bytes)
            case .takeout: TakeoutSidecar(reading: bytes) != nil
            case .adjustment: AdjustmentSidecar(reading: bytes) != nil
            }
        guard isIt else { return nil }
        self = kind
    }

    /// The Internet media type: XMP's of its specification (part 1, annex C), else what the syntax has.
    package var mimeType: String {
        switch self {
        case .xmp: "application/rdf+xml"
        case .takeout: "application/json"
        case .adjustment: "application/x-plist"
        }
    }

    /// The extension of a stored sidecar, without the dot.
    package var preferredExtension: String {
        switch self {
        case .xmp: "xmp"
        case .takeout: "json"
        case .adjustment: "aae"
        }
    }

    /// What it is, for a person.
    package var words: String {
        switch self {
        case .xmp: "an XMP sidecar"
        case .takeout: "a sidecar of Google Takeout"
        case .adjustment: "the recipe of an edit"
        }
    }
}

/// Whether XMP's outermost elements are there; what they say is the worker's to read.
///
/// In UTF-16 or UTF-32, as their byte order marks tell, each letter of these has zeros beside it.
private func hasXMP(_ bytes: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]]
    let isWide = marks.contains { bytes.starts(with: $0) }
    let start = isWide ? bytes.prefix(262_144).filter { $0 != 0 }[...] : bytes.prefix(65_536)
    return ["x:xmpmeta", "x:xapmeta", "rdf:RDF"].contains { word in
        let wanted = Array(word.utf8)
        return start.indices.contains { start[$0] == wanted[0] && start[$0...].starts(with: wanted) }
    }
}
