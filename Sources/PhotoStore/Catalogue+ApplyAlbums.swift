import FoundationEssentials
import PhotoModel
import SQLite

/// Applying requests about albums.
extension Catalogue {
    func create(_ creation: AlbumCreation, at date: Date) throws -> Bool {
        guard try !hasAlbum(creation.localIdentifier) else {
            throw LibraryError.albumExists(creation.localIdentifier)
        }
        try connection.run(
            "INSERT INTO album (uuid, title, createdDate) VALUES (?, ?, ?)", .uuid(creation.localIdentifier.uuid),
            .blob(creation.title.bytes), .date(date))
        return true
    }

    func rename(_ renaming: AlbumRenaming) throws -> Bool {
        let album = try rowID(album: renaming.localIdentifier)
        try connection.run(
            "UPDATE album SET title = ?1 WHERE id = ?2 AND title <> ?1", .blob(renaming.title.bytes), .integer(album))
        return connection.changes > 0
    }

    /// A folder adds nothing that a person took out; what a person adds is a person's from then on.
    func add(_ addition: AlbumAddition, at date: Date) throws -> Bool {
        let album = try rowID(album: addition.album)
        var changed = false
        for asset in addition.assets {
            let asset = try rowID(asset: asset)
            switch addition.addedBy {
            case .folder: changed = try addForFolder(asset, to: album, at: date) || changed
            case .person: changed = try addForPerson(asset, to: album, at: date) || changed
            }
        }
        return changed
    }

    private func addForFolder(_ asset: Int64, to album: Int64, at date: Date) throws -> Bool {
        try connection.run(
            """
            INSERT INTO albumMember (album, asset, position, addedBy, addedDate)
            SELECT ?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM albumMember WHERE album = ?1), 'folder', ?3
            WHERE NOT EXISTS (SELECT 1 FROM albumRemoval WHERE album = ?1 AND asset = ?2)
            ON CONFLICT (album, asset) DO NOTHING
            """, .integer(album), .integer(asset), .date(date))
        return connection.changes > 0
    }

    private func addForPerson(_ asset: Int64, to album: Int64, at date: Date) throws -> Bool {
        try connection.run(
            "DELETE FROM albumRemoval WHERE album = ? AND asset = ?", .integer(album), .integer(asset))
        let wasRemoved = connection.changes > 0
        try connection.run(
            """
            INSERT INTO albumMember (album, asset, position, addedBy, addedDate)
            VALUES (?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM albumMember WHERE album = ?1), 'person', ?3)
            ON CONFLICT (album, asset) DO UPDATE SET addedBy = 'person' WHERE addedBy <> 'person'
            """, .integer(album), .integer(asset), .date(date))
        return connection.changes > 0 || wasRemoved
    }

    func remove(_ removal: AlbumRemoval, at date: Date) throws -> Bool {
        let album = try rowID(album: removal.album)
        var changed = false
        for asset in removal.assets {
            let asset = try rowID(asset: asset)
            try connection.run(
                "DELETE FROM albumMember WHERE album = ? AND asset = ? AND (addedBy = 'folder' OR ? = 'person')",
                .integer(album), .integer(asset), .text(removal.removedBy.rawValue))
            guard connection.changes > 0 else { continue }
            changed = true
            guard removal.removedBy == .person else { continue }
            try connection.run(
                "INSERT OR REPLACE INTO albumRemoval (album, asset, removedDate) VALUES (?, ?, ?)", .integer(album),
                .integer(asset), .date(date))
        }
        return changed
    }

    func rowID(album: LocalIdentifier) throws -> Int64 {
        guard
            let id = try connection.first(
                "SELECT id FROM album WHERE uuid = ?", .uuid(album.uuid), row: { $0.integer(0) })
        else { throw LibraryError.noSuchAlbum(album) }
        return id
    }
}
