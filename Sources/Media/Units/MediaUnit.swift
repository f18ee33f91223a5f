package import PhotoModel

/// One asset's files, and why they are together.
package struct MediaUnit: Hashable, Sendable {
    /// The primary first, then by type and place.
    ///
    /// Sidecars may be several of one type, all others are one.
    package var resources: [UnitResource]
    /// A file that belongs here by this one's own word, and is not there (yet).
    package var awaited: AwaitedCompanion?

    package init(resources: [UnitResource], awaited: AwaitedCompanion? = nil) {
        self.resources = resources
        self.awaited = awaited
    }

    /// The file that the asset is named after and shown by.
    package var primary: UnitResource { resources[0] }

    package var files: [SourceKey] { resources.map(\.file) }

    /// Whether there is nothing but sidecars: no asset, until their picture comes.
    package var isOrphan: Bool { resources.allSatisfy { $0.pairing?.isSidecar == true } }

    /// Whether a movie belongs to the picture.
    package var isLive: Bool { resources.contains { $0.type == .pairedVideo } }

    package func resource(of file: SourceKey) -> UnitResource? {
        resources.first { $0.file == file && $0.span == nil }
    }
}

/// One file, or a part of one, as a resource of its asset.
package struct UnitResource: Hashable, Sendable {
    package var file: SourceKey
    package var type: ResourceType
    /// The part of the file that it is; nil for all of it.
    package var span: EmbeddedMovie?
    /// Why it is here; nil for the primary.
    package var pairing: Pairing?

    package init(file: SourceKey, type: ResourceType, span: EmbeddedMovie? = nil, pairing: Pairing? = nil) {
        self.file = file
        self.type = type
        self.span = span
        self.pairing = pairing
    }
}

/// Why one file belongs to another.
package enum Pairing: Hashable, Sendable {
    /// A Live Photo: Apple's content identifier is in both.
    case contentIdentifier(String)
    /// A motion photo: the movie is in the picture's file.
    case sameFile
    /// RAW and picture: one name, and one second and camera or one content identifier.
    case sameShutter
    /// A Live Photo of which one half has lost the identifier: one number, one camera, one moment.
    case sameMoment
    /// The edit of a picture: `IMG_E1234` of `IMG_1234`.
    case edit
    /// A sidecar, by its name; of no file yet where it stands alone.
    case sidecar(SidecarKind)
    /// It was of this asset before.
    case settled

    var isSidecar: Bool {
        guard case .sidecar = self else { return false }
        return true
    }
}

/// What a unit still waits for.
package enum AwaitedCompanion: Hashable, Sendable {
    /// The movie of this content identifier.
    case movie(contentIdentifier: String)
    /// The picture of this content identifier.
    case picture(contentIdentifier: String)
    /// The file that a sidecar speaks of.
    case described(SidecarKind)
}

/// The pictures of one burst, each an asset of its own, as in PhotoKit.
package struct BurstStack: Hashable, Sendable {
    package var burstIdentifier: String
    /// The primaries of the units, in the order of their capture.
    package var members: [SourceKey]
    /// The one that stands for all.
    package var representative: SourceKey
}
