import PhotoModel
import SQLite

/// Who is in which smart album, kept as facts come and go.
///
/// Beside the names of albums, the table has one for each burst, `burst ` and its identifier: an asset is in Bursts as
/// long as another one is in its burst.
extension Catalogue {
    private static let burst = "burst "

    /// Returns whether anything was changed.
    func setSmartAlbums(of row: AssetRow, _ facts: AssetFacts) throws -> Bool {
        let isLive = try isLive(row.id)
        let albums = SmartAlbumMembership(of: facts, mediaType: row.asset.mediaType, isLive: isLive).albums
        var names = Set(albums.map(\.rawValue))
        if try hasRaw(row.id) { names.insert(SmartAlbum.raw.rawValue) }
        if row.asset.mediaType == .image, let burst = facts.burstIdentifier { names.insert(Self.burst + burst) }
        return try setSmartMemberships(of: row.id, to: names)
    }

    @discardableResult
    func setSmartMemberships(of asset: Int64, to names: Set<String>) throws -> Bool {
        let rows = try connection.all(
            "SELECT album FROM smartMember WHERE asset = ? AND album <> ?", .integer(asset),
            .text(SmartAlbum.bursts.rawValue)
        ) { $0.text(0) }
        let known = Set(rows)
        guard known != names else { return false }
        for name in known.subtracting(names) {
            try connection.run(
                "DELETE FROM smartMember WHERE asset = ? AND album = ?", .integer(asset), .text(name))
            if name.hasPrefix(Self.burst) { try leave(burst: name, asset) }
        }
        for name in names.subtracting(known) {
            try connection.run("INSERT INTO smartMember (asset, album) VALUES (?, ?)", .integer(asset), .text(name))
            if name.hasPrefix(Self.burst) { try showBurst(name) }
        }
        return true
    }

    private func leave(burst: String, _ asset: Int64) throws {
        try connection.run(
            "DELETE FROM smartMember WHERE asset = ? AND album = ?", .integer(asset),
            .text(SmartAlbum.bursts.rawValue))
        try showBurst(burst)
    }

    /// One picture alone is no burst, whatever it says.
    private func showBurst(_ name: String) throws {
        let bursts = Value.text(SmartAlbum.bursts.rawValue)
        let count = try connection.first("SELECT count(*) FROM smartMember WHERE album = ?", .text(name)) { $0.int(0) }
        if count ?? 0 > 1 {
            try connection.run(
                "INSERT OR IGNORE INTO smartMember (asset, album) SELECT asset, ?2 FROM smartMember WHERE album = ?1",
                .text(name), bursts)
        } else {
            try connection.run(
                """
                DELETE FROM smartMember
                WHERE album = ?2 AND asset IN (SELECT asset FROM smartMember WHERE album = ?1)
                """, .text(name), bursts)
        }
    }

    /// Those of an asset that has other files than before, as far as its facts are known.
    func renewSmartAlbums(of identifier: LocalIdentifier) throws {
        guard let row = try assetRow(identifier), let facts = try facts(of: identifier) else { return }
        _ = try setSmartAlbums(of: row, facts)
    }

    /// Whether a movie belongs to the picture.
    private func isLive(_ asset: Int64) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM resource WHERE asset = ? AND type = ?", .integer(asset),
            .integer(Int64(ResourceType.pairedVideo.rawValue))
        ) { _ in true } ?? false
    }

    private func hasRaw(_ asset: Int64) throws -> Bool {
        try connection.all(
            """
            SELECT contentType FROM resource JOIN version ON version.resource = resource.id
            JOIN content ON content.hash = version.hash WHERE resource.asset = ?
            """, .integer(asset)
        ) { $0.text(0) }.contains { MediaType.isRaw(contentType: $0) }
    }
}
