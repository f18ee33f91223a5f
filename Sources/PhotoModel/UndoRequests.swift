package import FoundationEssentials

// Requests that only an undo makes: they put one thing back as it was, whoever had put it there.

/// Removes an album; its assets stay.
package struct AlbumDeletion: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier

    package init(localIdentifier: LocalIdentifier) { self.localIdentifier = localIdentifier }
}

/// Whether, where and by whose hand one asset is in one album.
package struct AlbumMembership: Hashable, Sendable, Codable {
    package var album: LocalIdentifier
    package var asset: LocalIdentifier
    /// The place in the album; nil where it is not in it.
    ///
    /// What stands there moves on by one, with all that follows.
    package var position: Int64?
    /// Set together with `position`.
    package var addedBy: AddedBy?
    /// Whether a person took it out: a folder does not put it back.
    package var isTakenOut: Bool

    package init(
        album: LocalIdentifier, asset: LocalIdentifier, position: Int64?, addedBy: AddedBy?, isTakenOut: Bool
    ) {
        self.album = album
        self.asset = asset
        self.position = position
        self.addedBy = addedBy
        self.isTakenOut = isTakenOut
    }
}

/// Ends the binding of a folder, or of one of its directories, to an album.
package struct FolderAlbumRelease: Hashable, Sendable, Codable {
    package var folder: UUID
    package var directory: PathBytes

    package init(folder: UUID, directory: PathBytes) {
        self.folder = folder
        self.directory = directory
    }
}

/// Ends the binding of a caller's own identifier.
package struct ExternalRelease: Hashable, Sendable, Codable {
    package var externalIdentifier: String

    package init(externalIdentifier: String) { self.externalIdentifier = externalIdentifier }
}
