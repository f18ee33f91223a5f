package import FoundationEssentials

/// One photo or video as a person sees it.
package struct Asset: Hashable, Sendable {
    package var localIdentifier: LocalIdentifier
    package var mediaType: MediaType
    /// When the picture was taken, as well as is known: see `creationDateSource`.
    package var creationDate: Date
    package var creationDateSource: CreationDateSource
    package var addedDate: Date
    package var modificationDate: Date
    package var state: AssetState
    /// Set while the asset is in Recently Deleted.
    package var trashing: Trashing?
    package var resources: [Resource]

    package init(
        localIdentifier: LocalIdentifier, mediaType: MediaType, creationDate: Date,
        creationDateSource: CreationDateSource, addedDate: Date, modificationDate: Date, state: AssetState,
        trashing: Trashing? = nil, resources: [Resource]
    ) {
        self.localIdentifier = localIdentifier
        self.mediaType = mediaType
        self.creationDate = creationDate
        self.creationDateSource = creationDateSource
        self.addedDate = addedDate
        self.modificationDate = modificationDate
        self.state = state
        self.trashing = trashing
        self.resources = resources
    }

    /// What the file with these bytes was called; the photo's name where none of its files has them.
    package func filename(of hash: ContentHash) -> PathBytes {
        let resource = resources.first { $0.versions.contains { $0.content.hash == hash } }
        return (resource ?? resources.first)?.originalFilename ?? PathBytes([])
    }
}

package enum AssetState: String, Codable, Sendable, CaseIterable {
    case live
    case trashed
    /// Gone for good; the row stays so that its identifier is never given out again (RULES I6).
    case purged
}

/// Where a creation date comes from, best first.
package enum CreationDateSource: String, Codable, Sendable, CaseIterable {
    /// Said by the caller that saved the asset, or by its folder's rule.
    case given
    /// When it was taken, as its file, a sidecar or its name says: the capture date of its facts says which.
    case captured
    /// The file's modification time.
    case modified
    /// When it came into the library, for want of anything better.
    case added
}

/// PHAssetResourceType with PhotoKit's numbers, of those in use.
///
/// PhotoKit has no sidecars; albumd's own numbers begin at 1001, beyond all of its.
package enum ResourceType: Int, Codable, Sendable, CaseIterable {
    case photo = 1
    case video = 2
    /// The RAW of a RAW + JPEG.
    case alternatePhoto = 4
    /// The picture as it was edited; `photo` is what it was before.
    case fullSizePhoto = 5
    case fullSizeVideo = 6
    case adjustmentData = 7
    /// The movie of a Live Photo.
    case pairedVideo = 9
    case fullSizePairedVideo = 10
    case xmpSidecar = 1001
    case takeoutSidecar = 1002
}

/// One file of an asset, with every content it ever had.
package struct Resource: Hashable, Sendable, Codable {
    package var type: ResourceType
    /// The name it came with, as bytes.
    package var originalFilename: PathBytes
    /// Oldest first: the first is `original`, the last `current`.
    package var versions: [Version]

    package init(type: ResourceType, originalFilename: PathBytes, versions: [Version]) {
        self.type = type
        self.originalFilename = originalFilename
        self.versions = versions
    }

    /// Whether it has, or had, a content.
    package func has(_ hash: ContentHash) -> Bool { versions.contains { $0.content.hash == hash } }
}

/// One content of a resource.
package struct Version: Hashable, Sendable, Codable {
    package var content: Content
    package var addedDate: Date
    package var residency: Residency
    package var condition: Condition
    /// What is being done with it between the disk and the cloud; nil is nothing.
    package var transfer: Transfer?

    package init(
        content: Content, addedDate: Date, residency: Residency, condition: Condition, transfer: Transfer? = nil
    ) {
        self.content = content
        self.addedDate = addedDate
        self.residency = residency
        self.condition = condition
        self.transfer = transfer
    }

    /// Whether nothing has the bytes any more that albumd knows of: not the disk, and not the cloud (RULES R42).
    package var isLost: Bool { residency == .inCloud && condition == .missing }
}

/// Bytes that the library keeps as one original, named by their hash.
package struct Content: Hashable, Sendable, Codable {
    package var hash: ContentHash
    package var byteCount: Int64
    /// The MIME type that recognition found.
    package var contentType: String
    /// The extension of the original's file name, from the content and never from the source's name.
    package var fileExtension: String

    package init(hash: ContentHash, byteCount: Int64, contentType: String, fileExtension: String) {
        self.hash = hash
        self.byteCount = byteCount
        self.contentType = contentType
        self.fileExtension = fileExtension
    }
}

/// Whether the bytes of an original are, where `residency` says, what they should be.
package enum Condition: String, Codable, Sendable, CaseIterable {
    case sound
    case missing
    case corrupt
}
