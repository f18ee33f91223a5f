package import FoundationEssentials

/// One value request of a change: what `performChanges` applies, the history keeps and the journal repeats.
///
/// A request holds every identifier and date it needs, so that applying the journal again gives the same library.
package enum ChangeRequest: Hashable, Sendable {
    case createAsset(AssetCreation)
    case addVersion(VersionAddition)
    case addResource(ResourceAddition)
    case arrangeResources(ResourceArrangement)
    case createAlbum(AlbumCreation)
    case renameAlbum(AlbumRenaming)
    case addAssets(AlbumAddition)
    case removeAssets(AlbumRemoval)
    case registerFolder(FolderRegistration)
    case bindFolderAlbum(FolderAlbumBinding)
    case recordSource(Source)
    case forgetSource(SourceKey)
    case bindExternal(ExternalBinding)
    case setCondition(ConditionChange)
    case trashAssets(AssetTrashing)
    case restoreAssets(AssetRestoring)
    case purgeAsset(AssetPurge)
    case deleteAlbum(AlbumDeletion)
    case setMembership(AlbumMembership)
    case releaseFolderAlbum(FolderAlbumRelease)
    case releaseExternal(ExternalRelease)
    case setResidency(ResidencyChange)
    case setTransfer(TransferChange)
    case setPin(PinChange)
    case setAlbumTier(AlbumTierChange)
    case setFacts(FactsChange)
}

package struct AssetCreation: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var mediaType: MediaType
    package var creationDate: Date
    package var creationDateSource: CreationDateSource
    package var resourceType: ResourceType
    package var originalFilename: PathBytes
    package var content: Content

    package init(
        localIdentifier: LocalIdentifier, mediaType: MediaType, creationDate: Date,
        creationDateSource: CreationDateSource, resourceType: ResourceType, originalFilename: PathBytes,
        content: Content
    ) {
        self.localIdentifier = localIdentifier
        self.mediaType = mediaType
        self.creationDate = creationDate
        self.creationDateSource = creationDateSource
        self.resourceType = resourceType
        self.originalFilename = originalFilename
        self.content = content
    }
}

/// An edit: new current bytes of a resource that the asset has.
package struct VersionAddition: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var resourceType: ResourceType
    package var content: Content
    /// A content that the resource has already: which of several of its type it is.
    package var replacing: ContentHash?

    package init(
        localIdentifier: LocalIdentifier, resourceType: ResourceType, content: Content, replacing: ContentHash? = nil
    ) {
        self.localIdentifier = localIdentifier
        self.resourceType = resourceType
        self.content = content
        self.replacing = replacing
    }
}

package struct AlbumCreation: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var title: PathBytes

    package init(localIdentifier: LocalIdentifier, title: PathBytes) {
        self.localIdentifier = localIdentifier
        self.title = title
    }
}

package struct AlbumRenaming: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var title: PathBytes

    package init(localIdentifier: LocalIdentifier, title: PathBytes) {
        self.localIdentifier = localIdentifier
        self.title = title
    }
}

package struct AlbumAddition: Hashable, Sendable, Codable {
    package var album: LocalIdentifier
    package var assets: [LocalIdentifier]
    package var addedBy: AddedBy

    package init(album: LocalIdentifier, assets: [LocalIdentifier], addedBy: AddedBy) {
        self.album = album
        self.assets = assets
        self.addedBy = addedBy
    }
}

package struct AlbumRemoval: Hashable, Sendable, Codable {
    package var album: LocalIdentifier
    package var assets: [LocalIdentifier]
    /// A person's removal sticks; a folder's only undoes what the folder added.
    package var removedBy: AddedBy

    package init(album: LocalIdentifier, assets: [LocalIdentifier], removedBy: AddedBy) {
        self.album = album
        self.assets = assets
        self.removedBy = removedBy
    }
}

/// A folder that the library has taken on, or what changed of it.
package struct FolderRegistration: Hashable, Sendable {
    package var folder: UUID
    package var path: PathBytes
    /// The file system's identity and the root's inode when it was taken on or last confirmed (RULES R29, R32).
    package var fileSystem: [UInt8]?
    package var rootInode: UInt64
    package var isMarked: Bool

    package init(folder: UUID, path: PathBytes, fileSystem: [UInt8]?, rootInode: UInt64, isMarked: Bool) {
        self.folder = folder
        self.path = path
        self.fileSystem = fileSystem
        self.rootInode = rootInode
        self.isMarked = isMarked
    }
}

/// Binds a folder, or one of its directories, to an album by the album's identifier (A39).
package struct FolderAlbumBinding: Hashable, Sendable, Codable {
    package var folder: UUID
    /// Empty for the whole folder; a directory where `albums = "tree"`.
    package var directory: PathBytes
    /// The title the configuration gave when the album was ensured.
    package var title: PathBytes
    package var album: LocalIdentifier

    package init(folder: UUID, directory: PathBytes, title: PathBytes, album: LocalIdentifier) {
        self.folder = folder
        self.directory = directory
        self.title = title
        self.album = album
    }
}

/// Maps a caller's own identifier to an asset (A57-A61).
package struct ExternalBinding: Hashable, Sendable, Codable {
    package var externalIdentifier: String
    package var localIdentifier: LocalIdentifier

    package init(externalIdentifier: String, localIdentifier: LocalIdentifier) {
        self.externalIdentifier = externalIdentifier
        self.localIdentifier = localIdentifier
    }
}

package struct ConditionChange: Hashable, Sendable, Codable {
    package var hash: ContentHash
    package var condition: Condition

    package init(hash: ContentHash, condition: Condition) {
        self.hash = hash
        self.condition = condition
    }
}
