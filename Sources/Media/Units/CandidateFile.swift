package import PhotoModel

/// One file that may be a photo, or a part of one.
package struct CandidateFile: Hashable, Sendable {
    /// Where it lies: the directory and the name are read from it, as bytes.
    package var key: SourceKey
    package var role: Role
    /// The file's own facts, no sidecar's; nothing known where they could not be read.
    package var facts: AssetFacts

    package init(key: SourceKey, role: Role, facts: AssetFacts = AssetFacts()) {
        self.key = key
        self.role = role
        self.facts = facts
    }

    package enum Role: Hashable, Sendable {
        case media(MediaKind)
        case sidecar(SidecarKind)
    }
}

extension CandidateFile {
    var name: [UInt8] { key.path.name.bytes }
    var directory: SourceKey { SourceKey(folder: key.folder, path: key.path.directory) }

    /// What names alone may pair: files of one directory with one stem.
    var place: Place { Place(directory: directory, stem: name.stem) }

    struct Place: Hashable {
        var directory: SourceKey
        var stem: [UInt8]
    }

    var kind: MediaKind? {
        guard case .media(let kind) = role else { return nil }
        return kind
    }

    var sidecar: SidecarKind? {
        guard case .sidecar(let kind) = role else { return nil }
        return kind
    }

    var isPicture: Bool { kind?.mediaType == .image }
    var isVideo: Bool { kind?.mediaType == .video }
    var isRAW: Bool { kind?.isRAW == true }
}

extension MediaKind {
    /// Whether it holds what the sensor saw: PhotoKit's alternate photo.
    package var isRAW: Bool {
        switch self {
        case .dng, .cr2, .cr3, .crw, .nef, .arw, .rw2, .orf, .raf, .pef, .srw, .x3f, .mrw, .iiq, .erf, .dcr, .mos,
            .mef, .hasselblad:
            true
        default: false
        }
    }
}
