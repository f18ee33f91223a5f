package import FoundationEssentials

/// A user album.
///
/// Its identity is the identifier; the title is only a title, and two albums may share one.
package struct Album: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    package var title: PathBytes
    package var createdDate: Date
    package var count: Int
    /// Where it wants its originals; nil is wherever they fit.
    package var tier: AlbumTier?

    package init(
        localIdentifier: LocalIdentifier, title: PathBytes, createdDate: Date, count: Int, tier: AlbumTier? = nil
    ) {
        self.localIdentifier = localIdentifier
        self.title = title
        self.createdDate = createdDate
        self.count = count
        self.tier = tier
    }
}

/// Who put an asset into an album.
///
/// What a person did is never undone by a folder.
package enum AddedBy: String, Codable, Sendable, CaseIterable {
    case folder
    case person
}
