/// One more file of an asset that there is: a resource with its first version.
package struct ResourceAddition: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var resourceType: ResourceType
    package var originalFilename: PathBytes
    package var content: Content

    package init(
        localIdentifier: LocalIdentifier, resourceType: ResourceType, originalFilename: PathBytes, content: Content
    ) {
        self.localIdentifier = localIdentifier
        self.resourceType = resourceType
        self.originalFilename = originalFilename
        self.content = content
    }
}

/// What the files of an asset are among themselves from now on, since another has come to them.
///
/// A movie that came alone is its asset's video until its picture comes.
package struct ResourceArrangement: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var mediaType: MediaType
    /// Those that are something else than before.
    package var roles: [ResourceRole]

    package init(localIdentifier: LocalIdentifier, mediaType: MediaType, roles: [ResourceRole]) {
        self.localIdentifier = localIdentifier
        self.mediaType = mediaType
        self.roles = roles
    }
}

/// One resource of an asset, named by a content that it has, and what it is.
package struct ResourceRole: Hashable, Sendable, Codable {
    package var hash: ContentHash
    package var type: ResourceType

    package init(hash: ContentHash, type: ResourceType) {
        self.hash = hash
        self.type = type
    }
}

extension ResourceType {
    /// Whether an asset can have several: sidecars, of which each program writes its own.
    package var canBeSeveral: Bool {
        switch self {
        case .adjustmentData, .xmpSidecar, .takeoutSidecar: true
        default: false
        }
    }

    /// Whether it is what became of the photo or the video by an edit.
    package var isOfEdit: Bool {
        switch self {
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData: true
        default: false
        }
    }

    /// What its bytes are; nil for a sidecar's.
    package var mediaType: MediaType? {
        switch self {
        case .photo, .alternatePhoto, .fullSizePhoto: .image
        case .video, .fullSizeVideo, .pairedVideo, .fullSizePairedVideo: .video
        case .adjustmentData, .xmpSidecar, .takeoutSidecar: nil
        }
    }
}
