import FoundationEssentials
import PhotoModel
import SQLite

/// Applying what was read and concluded of assets.
extension Catalogue {
    /// A purged asset takes none.
    func set(_ change: FactsChange) throws -> Bool {
        guard let row = try assetRow(change.localIdentifier) else {
            throw LibraryError.noSuchAsset(change.localIdentifier)
        }
        guard row.asset.state != .purged else { return false }
        let text = try factsText(change.facts)
        try connection.run(
            """
            INSERT INTO assetFacts (asset, hash, facts, contentIdentifier, burstIdentifier) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (asset) DO UPDATE SET hash = ?2, facts = ?3, contentIdentifier = ?4, burstIdentifier = ?5
            WHERE assetFacts.hash <> ?2 OR assetFacts.facts <> ?3
            """, .integer(row.id), .blob(change.hash.bytes), .text(text), .text(change.facts.contentIdentifier),
            .text(change.facts.burstIdentifier))
        var changed = connection.changes > 0
        changed = try setSmartAlbums(of: row, change.facts) || changed
        try connection.run(
            """
            UPDATE asset SET creationDate = ?2, creationDateSource = ?3
            WHERE id = ?1 AND (creationDate <> ?2 OR creationDateSource <> ?3)
            """, .integer(row.id), .date(change.creationDate), .text(change.creationDateSource.rawValue))
        changed = connection.changes > 0 || changed
        try finishFacts(having: change.hash, of: row.id)
        return changed
    }

    /// Keeps what the reader said; what is given up is no work any more.
    func keep(_ reading: ContentReading) throws {
        guard try version(of: reading.hash) != nil else { return }
        try connection.run(
            """
            INSERT OR REPLACE INTO reading (hash, reader, facts, unreadable, tries) VALUES (?, ?, ?, ?, ?)
            """, .blob(reading.hash.bytes), .integer(Int64(reading.reader)), .text(reading.facts),
            .text(reading.unreadable), .integer(Int64(reading.tries)))
        if reading.isGivenUp { try finishFacts(having: reading.hash, of: nil) }
    }

    /// The current bytes of an asset are to be read.
    func wantFacts(of asset: Int64) throws {
        try connection.run("INSERT OR IGNORE INTO factsWork (asset) VALUES (?)", .integer(asset))
    }

    func forgetFacts(of asset: Int64) throws {
        for table in ["assetFacts", "factsWork"] {
            try connection.run("DELETE FROM \(table) WHERE asset = ?", .integer(asset))
        }
        try setSmartMemberships(of: asset, to: [])
    }

    /// The work of assets, of one or of all, whose current bytes these are: those that they are shown by.
    private func finishFacts(having hash: ContentHash, of asset: Int64?) throws {
        try connection.run(
            """
            DELETE FROM factsWork WHERE asset IN (
                SELECT resource.asset FROM version JOIN resource ON resource.id = version.resource
                WHERE version.hash = ?1 AND (?2 IS NULL OR resource.asset = ?2)
                    AND resource.type = (SELECT min(type) FROM resource AS one WHERE one.asset = resource.asset)
                    AND version.ordinal = (SELECT max(ordinal) FROM version AS one WHERE one.resource = resource.id))
            """, .blob(hash.bytes), .integer(asset))
    }

}

extension Change {
    /// Keeps what the reader of media said of a content, beside the requests and not among them.
    ///
    /// It is committed where the change is, even if that performs nothing.
    package func keep(_ reading: ContentReading) throws { try catalogue.keep(reading) }
}
