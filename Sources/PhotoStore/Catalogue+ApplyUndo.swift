import FoundationEssentials
import PhotoModel
import SQLite

/// Applying the requests that only an undo makes.
extension Catalogue {
    func delete(_ deletion: AlbumDeletion) throws -> Bool {
        let album = try rowID(album: deletion.localIdentifier)
        try connection.run("DELETE FROM albumMember WHERE album = ?", .integer(album))
        try connection.run("DELETE FROM albumRemoval WHERE album = ?", .integer(album))
        try connection.run("DELETE FROM albumTier WHERE album = ?", .integer(album))
        try connection.run("DELETE FROM album WHERE id = ?", .integer(album))
        return true
    }

    /// An asset that was deleted for good is in no album any more.
    func set(_ membership: AlbumMembership, at date: Date) throws -> Bool {
        let (album, asset) = (try rowID(album: membership.album), try rowID(asset: membership.asset))
        guard try assetRow(membership.asset)?.asset.state != .purged else { return false }
        let isMoved = try place(asset, in: album, membership, at: date)
        guard membership.isTakenOut else {
            try connection.run(
                "DELETE FROM albumRemoval WHERE album = ? AND asset = ?", .integer(album), .integer(asset))
            return connection.changes > 0 || isMoved
        }
        try connection.run(
            "INSERT INTO albumRemoval (album, asset, removedDate) VALUES (?, ?, ?) ON CONFLICT (album, asset) DO NOTHING",
            .integer(album), .integer(asset), .date(date))
        return connection.changes > 0 || isMoved
    }

    private func place(_ asset: Int64, in album: Int64, _ membership: AlbumMembership, at date: Date) throws -> Bool {
        guard let position = membership.position, let addedBy = membership.addedBy else {
            try connection.run(
                "DELETE FROM albumMember WHERE album = ? AND asset = ?", .integer(album), .integer(asset))
            return connection.changes > 0
        }
        let isTaken = try connection.first(
            "SELECT 1 FROM albumMember WHERE album = ? AND position = ? AND asset <> ?", .integer(album),
            .integer(position), .integer(asset)
        ) { _ in true }
        if isTaken != nil {
            try connection.run(
                "UPDATE albumMember SET position = position + 1 WHERE album = ? AND position >= ? AND asset <> ?",
                .integer(album), .integer(position), .integer(asset))
        }
        try connection.run(
            """
            INSERT INTO albumMember (album, asset, position, addedBy, addedDate) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (album, asset) DO UPDATE SET position = ?3, addedBy = ?4 WHERE position <> ?3 OR addedBy <> ?4
            """, .integer(album), .integer(asset), .integer(position), .text(addedBy.rawValue), .date(date))
        return connection.changes > 0
    }

    func release(_ release: FolderAlbumRelease) throws -> Bool {
        try connection.run(
            "DELETE FROM folderAlbum WHERE folder = ? AND directory = ?", .integer(try rowID(folder: release.folder)),
            .blob(release.directory.bytes))
        return connection.changes > 0
    }

    func release(_ release: ExternalRelease) throws -> Bool {
        try connection.run(
            "DELETE FROM externalMapping WHERE externalIdentifier = ?", .text(release.externalIdentifier))
        return connection.changes > 0
    }
}
