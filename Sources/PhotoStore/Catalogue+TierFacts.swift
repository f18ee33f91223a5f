package import FoundationEssentials
package import PhotoModel
import SQLite

/// Every original as the plan of the tier sees it (RULES R39).
extension Catalogue {
    /// In the order of their hashes; a million of them are some 60 MB.
    package func tierFacts(at now: Date) throws -> [TierFacts] {
        let exceptions = try tierExceptions(at: now)
        // Numbers: a million words would be made and compared.
        let residencies: [Residency] = [.local, .both, .inCloud]
        var facts: [TierFacts] = []
        facts.reserveCapacity(try connection.first("SELECT count(*) FROM content") { $0.int(0) } ?? 0)
        try connection.query(
            """
            SELECT content.hash, byteCount, CASE residency WHEN 'local' THEN 0 WHEN 'both' THEN 1 ELSE 2 END,
                condition = 'sound', transfer.hash IS NOT NULL,
                coalesce((SELECT max(addedDate) FROM version WHERE version.hash = content.hash), 0),
                coalesce(lastUse.date, 0)
            FROM content LEFT JOIN transfer ON transfer.hash = content.hash
            LEFT JOIN lastUse ON lastUse.hash = content.hash ORDER BY content.hash
            """
        ) { row in
            let hash = try row.hash(0)
            let wish = row.bool(3) ? exceptions.isEmpty ? .whateverFits : exceptions[hash] ?? .whateverFits : .nothing
            facts.append(
                TierFacts(
                    hash: hash, byteCount: row.integer(1), residency: residencies[row.int(2)],
                    lastUsed: max(row.integer(5), row.integer(6)) / 1_000_000,
                    wants: wish == .nothing || !row.bool(4) ? wish : .underWay))
        }
        return facts
    }

    /// The strongest wish for each original that has one of its own.
    private func tierExceptions(at now: Date) throws -> [ContentHash: TierFacts.Wants] {
        var wishes: [ContentHash: TierFacts.Wants] = [:]
        func note(_ wants: TierFacts.Wants, _ source: String, _ arguments: Value...) throws {
            try connection.query(
                "SELECT version.hash FROM \(source) JOIN version ON version.resource = resource.id", arguments
            ) { row in
                let hash = try row.hash(0)
                wishes[hash] = min(wishes[hash] ?? wants, wants)
            }
        }
        let members = """
            albumTier JOIN albumMember ON albumMember.album = albumTier.album AND albumTier.tier = ?
            JOIN resource ON resource.asset = albumMember.asset
            """
        try note(.inCloudByAlbum, members, .text(AlbumTier.inCloud.rawValue))
        try note(.keptByAlbum, members, .text(AlbumTier.keepLocal.rawValue))
        try note(
            .pinned,
            "pin JOIN resource ON resource.asset = pin.asset AND (until IS NULL OR until > ?)", .date(now))
        try note(.nothing, "asset JOIN resource ON resource.asset = asset.id AND asset.state = 'trashed'")
        return wishes
    }
}
