package import FoundationEssentials
package import PhotoModel
import SQLite

/// Every original as the plan of the tier sees it (RULES R39).
extension Catalogue {
    /// In the order of their hashes; a million of them are some 60 MB.
    package func tierFacts(at now: Date) throws -> [TierFacts] {
        let exceptions = try tierExceptions(at: now)
        let used = try lastUses()
        let begun = Dictionary(
            try transfers().map { ($0.hash, $0.transfer) }, uniquingKeysWith: { first, _ in first })
        // Numbers: a million words would be made and compared.
        let residencies: [Residency] = [.local, .both, .inCloud]
        var facts: [TierFacts] = []
        facts.reserveCapacity(try connection.first("SELECT count(*) FROM content") { $0.int(0) } ?? 0)
        try connection.query(
            """
            SELECT hash, byteCount, CASE residency WHEN 'local' THEN 0 WHEN 'both' THEN 1 ELSE 2 END,
                condition = 'sound',
                coalesce((SELECT max(addedDate) FROM version WHERE version.hash = content.hash), 0)
            FROM content ORDER BY hash
            """
        ) { row in
            let hash = try row.hash(0)
            let added = row.integer(4)
            let wish = row.bool(3) ? (exceptions.isEmpty ? nil : exceptions[hash]) ?? .whateverFits : .nothing
            facts.append(
                TierFacts(
                    hash: hash, byteCount: row.integer(1), residency: residencies[row.int(2)],
                    lastUsed: (used.isEmpty ? added : max(added, used[hash] ?? added)) / 1_000_000,
                    wants: wish, transfer: begun.isEmpty ? nil : begun[hash] ?? nil))
        }
        return facts
    }

    /// In microseconds since the epoch; there are as many as originals that somebody asked for.
    private func lastUses() throws -> [ContentHash: Int64] {
        var uses: [ContentHash: Int64] = [:]
        try connection.query("SELECT hash, date FROM lastUse") { uses[try $0.hash(0)] = $0.integer(1) }
        return uses
    }

    /// The strongest wish for each original that has one of its own.
    ///
    /// CROSS JOIN keeps the order (sqlite.org/optoverview.html, 7.2): from the few that have one to their originals.
    private func tierExceptions(at now: Date) throws -> [ContentHash: TierFacts.Wants] {
        var wishes: [ContentHash: TierFacts.Wants] = [:]
        func note(_ wants: TierFacts.Wants, _ source: String, _ arguments: Value...) throws {
            try connection.query(
                "SELECT version.hash FROM \(source) CROSS JOIN version ON version.resource = resource.id", arguments
            ) { row in
                let hash = try row.hash(0)
                wishes[hash] = min(wishes[hash] ?? wants, wants)
            }
        }
        let members = """
            albumTier CROSS JOIN albumMember ON albumMember.album = albumTier.album AND albumTier.tier = ?
            CROSS JOIN resource ON resource.asset = albumMember.asset
            """
        try note(.inCloudByAlbum, members, .text(AlbumTier.inCloud.rawValue))
        try note(.keptByAlbum, members, .text(AlbumTier.keepLocal.rawValue))
        try note(
            .pinned,
            "pin CROSS JOIN resource ON resource.asset = pin.asset AND (until IS NULL OR until > ?)", .date(now))
        try note(.nothing, "asset CROSS JOIN resource ON resource.asset = asset.id AND asset.state = 'trashed'")
        return wishes
    }
}
