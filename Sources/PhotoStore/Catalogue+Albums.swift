import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading albums and what is in them.
extension Catalogue {
    package func album(_ identifier: LocalIdentifier) throws -> Album? {
        try connection.first(Self.albumColumns + "WHERE uuid = ?", .uuid(identifier.uuid)) { try Self.album($0) }
    }

    /// Whether there is such an album: without counting what is in it.
    package func hasAlbum(_ identifier: LocalIdentifier) throws -> Bool {
        try connection.first("SELECT 1 FROM album WHERE uuid = ?", .uuid(identifier.uuid)) { _ in true } ?? false
    }

    /// The same: an album may have as many members as there are assets.
    package func albumTitle(_ identifier: LocalIdentifier) throws -> PathBytes? {
        try connection.first("SELECT title FROM album WHERE uuid = ?", .uuid(identifier.uuid)) { PathBytes($0.blob(0)) }
    }

    /// The same of every album with exactly this title, oldest first: titles may be shared (A55).
    package func identifiersOfAlbums(titled title: PathBytes) throws -> [LocalIdentifier] {
        try connection.all("SELECT uuid FROM album WHERE title = ? ORDER BY id", .blob(title.bytes)) {
            LocalIdentifier(try $0.uuid(0))
        }
    }

    /// Every album with exactly this title, oldest first.
    package func albums(titled title: PathBytes) throws -> [Album] {
        try connection.all(Self.albumColumns + "WHERE title = ? ORDER BY id", .blob(title.bytes)) { try Self.album($0) }
    }

    /// A page of albums, oldest first.
    package func albums(after cursor: Int64, limit: Int) throws -> Page<Album> {
        let rows = try connection.all(
            Self.albumColumns + "WHERE id > ? ORDER BY id LIMIT ?", .integer(cursor), .integer(Int64(limit))
        ) { (id: $0.integer(4), album: try Self.album($0)) }
        return Page(rows: rows.map(\.album), next: rows.count == limit ? rows.last?.id : nil)
    }

    /// Every album that has a rule for where its originals are, oldest first.
    package func albumsWithTier() throws -> [Album] {
        try connection.all(Self.albumColumns + "WHERE id IN (SELECT album FROM albumTier) ORDER BY id") {
            try Self.album($0)
        }
    }

    /// The albums that keep a content here, oldest first.
    package func albumsKeeping(_ hash: ContentHash) throws -> [Album] {
        try connection.all(
            Self.albumColumns + """
                WHERE id IN (SELECT album FROM albumTier WHERE tier = 'keepLocal') AND id IN (
                    SELECT albumMember.album FROM version JOIN resource ON resource.id = version.resource
                    JOIN albumMember ON albumMember.asset = resource.asset WHERE version.hash = ?)
                ORDER BY id
                """, .blob(hash.bytes)
        ) { try Self.album($0) }
    }

    /// Who put the asset into the album; nil where it is not in it.
    package func membership(of asset: LocalIdentifier, in album: LocalIdentifier) throws -> AddedBy? {
        try connection.first(
            """
            SELECT addedBy FROM albumMember
            WHERE album = (SELECT id FROM album WHERE uuid = ?) AND asset = (SELECT id FROM asset WHERE uuid = ?)
            """, .uuid(album.uuid), .uuid(asset.uuid)
        ) { try $0.word(0) }
    }

    /// Whether a person took the asset out of the album.
    package func wasRemoved(_ asset: LocalIdentifier, from album: LocalIdentifier) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM albumRemoval
            WHERE album = (SELECT id FROM album WHERE uuid = ?) AND asset = (SELECT id FROM asset WHERE uuid = ?)
            """, .uuid(album.uuid), .uuid(asset.uuid)
        ) { _ in true } ?? false
    }

    /// The albums that an asset is in.
    package func albums(containing asset: LocalIdentifier) throws -> [LocalIdentifier] {
        try connection.all(
            """
            SELECT album.uuid FROM albumMember JOIN album ON album.id = albumMember.album
            WHERE albumMember.asset = (SELECT id FROM asset WHERE uuid = ?) ORDER BY album.id
            """, .uuid(asset.uuid)
        ) { LocalIdentifier(try $0.uuid(0)) }
    }

    private static let albumColumns = """
        SELECT uuid, title, createdDate,
            (SELECT count(*) FROM albumMember JOIN asset ON asset.id = albumMember.asset
             WHERE albumMember.album = album.id AND asset.state = 'live'),
            id, (SELECT tier FROM albumTier WHERE albumTier.album = album.id)
        FROM album

        """

    private static func album(_ row: borrowing Row) throws -> Album {
        Album(
            localIdentifier: LocalIdentifier(try row.uuid(0)), title: PathBytes(row.blob(1)), createdDate: row.date(2),
            count: Int(row.integer(3)), tier: row.isNull(5) ? nil : try row.word(5))
    }
}
