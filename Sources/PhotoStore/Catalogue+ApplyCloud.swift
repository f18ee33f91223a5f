import FoundationEssentials
import PhotoModel
import SQLite

/// Applying requests about the cloud.
extension Catalogue {
    /// Throws where the change is no legal move (`Residency.mayBecome`), or where it does not have the proof it needs.
    func set(_ change: ResidencyChange) throws -> Bool {
        guard let now = try version(of: change.hash)?.residency else { throw LibraryError.noSuchContent(change.hash) }
        guard (change.copy == nil) == (change.residency == .local),
            now == change.residency || now.mayBecome(change.residency)
        else { throw LibraryError.illegalResidency(change.hash, from: now, to: change.residency) }
        guard try now != change.residency || cloudCopy(of: change.hash) != change.copy else { return false }
        try connection.run(
            "UPDATE content SET residency = ? WHERE hash = ?", .text(change.residency.rawValue),
            .blob(change.hash.bytes))
        guard let copy = change.copy else {
            try connection.run("DELETE FROM cloudCopy WHERE hash = ?", .blob(change.hash.bytes))
            return true
        }
        try connection.run(
            """
            INSERT INTO cloudCopy (hash, key, versionID, uploadedDate, verifiedDate) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (hash) DO UPDATE SET key = excluded.key, versionID = excluded.versionID,
                uploadedDate = excluded.uploadedDate, verifiedDate = excluded.verifiedDate
            """, .blob(change.hash.bytes), .text(copy.key), .text(copy.versionID), .date(copy.uploadedDate),
            .date(copy.verifiedDate))
        // What is in the store again is not to be deleted there.
        try connection.run("DELETE FROM objectWork WHERE hash = ?", .blob(change.hash.bytes))
        return true
    }

    func set(_ change: TransferChange) throws -> Bool {
        guard let transfer = change.transfer else {
            try connection.run("DELETE FROM transfer WHERE hash = ?", .blob(change.hash.bytes))
            return connection.changes > 0
        }
        guard try version(of: change.hash) != nil else { throw LibraryError.noSuchContent(change.hash) }
        try connection.run(
            """
            INSERT INTO transfer (hash, transfer, requestedBy) VALUES (?1, ?2, ?3)
            ON CONFLICT (hash) DO UPDATE SET transfer = ?2, requestedBy = ?3
                WHERE transfer.transfer <> ?2 OR requestedBy <> ?3
            """, .blob(change.hash.bytes), .text(transfer.rawValue), .text(change.requestedBy.rawValue))
        return connection.changes > 0
    }

    func set(_ change: PinChange) throws -> Bool {
        let asset = try rowID(asset: change.localIdentifier)
        guard try assetRow(change.localIdentifier)?.asset.state != .purged else {
            throw LibraryError.assetPurged(change.localIdentifier)
        }
        guard change.isPinned else {
            try connection.run("DELETE FROM pin WHERE asset = ?", .integer(asset))
            return connection.changes > 0
        }
        try connection.run(
            """
            INSERT INTO pin (asset, until) VALUES (?1, ?2)
            ON CONFLICT (asset) DO UPDATE SET until = ?2 WHERE until IS NOT ?2
            """, .integer(asset), .date(change.until))
        return connection.changes > 0
    }

    func set(_ change: AlbumTierChange) throws -> Bool {
        let album = try rowID(album: change.album)
        guard let tier = change.tier else {
            try connection.run("DELETE FROM albumTier WHERE album = ?", .integer(album))
            return connection.changes > 0
        }
        try connection.run(
            "INSERT INTO albumTier (album, tier) VALUES (?1, ?2) ON CONFLICT (album) DO UPDATE SET tier = ?2 WHERE tier <> ?2",
            .integer(album), .text(tier.rawValue))
        return connection.changes > 0
    }

    /// What a purge leaves of a content's place in the cloud: its object, which may be deleted later.
    ///
    /// An upload that has not ended may have brought one, or does so yet; one of an earlier purge may still be there.
    func forgetTier(of hash: ContentHash, at date: Date) throws {
        try connection.run(
            """
            INSERT OR REPLACE INTO objectWork (hash, key, purgedDate)
            SELECT ?1, coalesce(
                (SELECT key FROM cloudCopy WHERE hash = ?1), (SELECT key FROM objectWork WHERE hash = ?1), ?3), ?2
            WHERE EXISTS (SELECT 1 FROM cloudCopy WHERE hash = ?1) OR EXISTS (SELECT 1 FROM transfer WHERE hash = ?1)
                OR EXISTS (SELECT 1 FROM objectWork WHERE hash = ?1)
            """, .blob(hash.bytes), .date(date), .text(hash.objectKey))
        for table in ["cloudCopy", "transfer", "lastUse", "reading"] {
            try connection.run("DELETE FROM \(table) WHERE hash = ?", .blob(hash.bytes))
        }
    }
}
