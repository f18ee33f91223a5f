package import PhotoModel
import SQLite

/// Smart albums: who is in them follows from the facts of assets.
extension Catalogue {
    /// The smart albums that an asset is in, by name.
    package func smartAlbums(of identifier: LocalIdentifier) throws -> [SmartAlbum] {
        try connection.all(
            "SELECT album FROM smartMember WHERE asset = (SELECT id FROM asset WHERE uuid = ?) ORDER BY album",
            .uuid(identifier.uuid)
        ) { SmartAlbum(rawValue: $0.text(0)) }.compactMap { $0 }
    }

    /// How many live assets each has; what has none is not there.
    package func smartAlbumCounts() throws -> [SmartAlbum: Int] {
        try remembered(.smartAlbums) {
            let rows = try connection.all(
                """
                SELECT album, count(*) FROM smartMember JOIN asset ON asset.id = smartMember.asset
                WHERE state = 'live' GROUP BY album
                """
            ) { (SmartAlbum(rawValue: $0.text(0)), $0.int(1)) }
            return rows.reduce(into: [:]) { counts, row in if let album = row.0 { counts[album] = row.1 } }
        }
    }

    /// A page of the live assets in one, oldest arrival first.
    package func assets(in album: SmartAlbum, after cursor: Int64, limit: Int) throws -> Page<Asset> {
        let rows = try connection.all(
            Self.assetColumns("id") + """
                FROM smartMember JOIN asset ON asset.id = smartMember.asset
                WHERE album = ? AND smartMember.asset > ? AND state = 'live' ORDER BY smartMember.asset LIMIT ?
                """, .text(album.rawValue), .integer(cursor), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit)
    }
}
