import FoundationEssentials
import PhotoModel
import SQLite

/// Applying requests about Recently Deleted and purging.
extension Catalogue {
    /// What is there already keeps its first date; a person's deletion is one whatever came before it.
    func trash(_ trashing: AssetTrashing, at date: Date) throws -> Bool {
        var changed = false
        for asset in trashing.assets {
            try connection.run(
                """
                UPDATE asset SET state = 'trashed', trashedDate = ?2, trashReason = ?3, trashFolder = ?4,
                    trashRunningSeconds = ?5
                WHERE id = ?1 AND state = 'live'
                """, .integer(try rowID(asset: asset)), .date(date), .text(trashing.reason.rawValue),
                .blob(trashing.folder?.bytes), .integer(trashing.runningSeconds))
            changed = connection.changes > 0 || changed
            guard trashing.reason == .person else { continue }
            try connection.run(
                "UPDATE asset SET trashReason = 'person' WHERE id = ? AND state = 'trashed' AND trashReason <> 'person'",
                .integer(try rowID(asset: asset)))
            changed = connection.changes > 0 || changed
        }
        return changed
    }

    /// Throws for a purged asset: its bytes are gone.
    func restore(_ restoring: AssetRestoring) throws -> Bool {
        var changed = false
        for asset in restoring.assets {
            guard try assetRow(asset)?.asset.state != .purged else { throw LibraryError.assetPurged(asset) }
            try connection.run(
                """
                UPDATE asset SET state = 'live', trashedDate = NULL, trashReason = NULL, trashFolder = NULL,
                    trashRunningSeconds = NULL
                WHERE id = ? AND state = 'trashed'
                """, .integer(try rowID(asset: asset)))
            changed = connection.changes > 0 || changed
        }
        return changed
    }

    /// The row of the asset, its identifier, its sources and a caller's own identifiers stay.
    ///
    /// Contents that no other asset has go, and their bytes are to be unlinked.
    func apply(_ purge: AssetPurge, at date: Date) throws -> Bool {
        guard let row = try assetRow(purge.localIdentifier) else {
            throw LibraryError.noSuchAsset(purge.localIdentifier)
        }
        guard row.asset.state == .trashed else { return false }
        try connection.run(
            """
            UPDATE asset SET state = 'purged', trashedDate = NULL, trashReason = NULL, trashFolder = NULL,
                trashRunningSeconds = NULL
            WHERE id = ?
            """, .integer(row.id))
        try connection.run("DELETE FROM albumMember WHERE asset = ?", .integer(row.id))
        try connection.run("DELETE FROM albumRemoval WHERE asset = ?", .integer(row.id))
        try connection.run(
            "DELETE FROM version WHERE resource IN (SELECT id FROM resource WHERE asset = ?)", .integer(row.id))
        for hash in purge.contents where try !isReferred(hash) {
            try connection.run(
                "INSERT OR IGNORE INTO unlinkWork (hash, fileExtension) SELECT hash, fileExtension FROM content WHERE hash = ?",
                .blob(hash.bytes))
            try connection.run("DELETE FROM content WHERE hash = ?", .blob(hash.bytes))
            try forgetTier(of: hash, at: date)
        }
        try connection.run("DELETE FROM pin WHERE asset = ?", .integer(row.id))
        try forgetFacts(of: row.id)
        return true
    }

    /// Whether a resource of any asset that is not purged has these bytes as a version.
    func isReferred(_ hash: ContentHash) throws -> Bool {
        try connection.first("SELECT 1 FROM version WHERE hash = ? LIMIT 1", .blob(hash.bytes)) { _ in true } ?? false
    }
}
