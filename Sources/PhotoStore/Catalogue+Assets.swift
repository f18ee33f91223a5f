import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading assets and their originals.
extension Catalogue {
    /// One asset by identifier, purged ones included; nil where the identifier was never given out.
    package func asset(_ identifier: LocalIdentifier) throws -> Asset? {
        guard let row = try assetRow(identifier) else { return nil }
        return try asset(row)
    }

    /// The asset that has these bytes as a version of a resource, a live one before one in Recently Deleted.
    package func assetHaving(_ hash: ContentHash) throws -> LocalIdentifier? {
        try connection.first(
            """
            SELECT asset.uuid FROM version JOIN resource ON resource.id = version.resource
            JOIN asset ON asset.id = resource.asset
            WHERE version.hash = ? AND asset.state <> 'purged' ORDER BY asset.state = 'live' DESC, asset.id LIMIT 1
            """, .blob(hash.bytes)
        ) { LocalIdentifier(try $0.uuid(0)) }
    }

    /// The same with the name of the file, for a list of originals.
    package func nameOfOriginal(
        _ hash: ContentHash
    ) throws -> (asset: LocalIdentifier, filename: PathBytes, ordinal: Int, count: Int)? {
        try connection.first(
            """
            SELECT asset.uuid, resource.originalFilename, version.ordinal,
                (SELECT count(*) FROM version AS other WHERE other.resource = resource.id)
            FROM version JOIN resource ON resource.id = version.resource
            JOIN asset ON asset.id = resource.asset
            WHERE version.hash = ? AND asset.state <> 'purged' LIMIT 1
            """, .blob(hash.bytes)
        ) { (LocalIdentifier(try $0.uuid(0)), PathBytes($0.blob(1)), $0.int(2), $0.int(3)) }
    }

    /// What is stored under a hash, with its condition.
    package func version(of hash: ContentHash) throws -> Version? {
        try connection.first(
            """
            SELECT content.hash, byteCount, contentType, fileExtension, 0, residency, condition, transfer
            FROM content LEFT JOIN transfer ON transfer.hash = content.hash WHERE content.hash = ?
            """, .blob(hash.bytes)
        ) { try Self.version($0) }
    }

    /// A page of live assets, oldest arrival first, after the cursor of the page before.
    package func assets(after cursor: Int64, limit: Int) throws -> Page<Asset> {
        let rows = try connection.all(
            Self.assetColumns("id") + "FROM asset WHERE id > ? AND state = 'live' ORDER BY id LIMIT ?",
            .integer(cursor), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit)
    }

    /// The same of one album, in the album's order.
    package func assets(in album: LocalIdentifier, after cursor: Int64, limit: Int) throws -> Page<Asset> {
        let rows = try connection.all(
            Self.assetColumns("position") + """
                FROM albumMember JOIN asset ON asset.id = albumMember.asset
                WHERE albumMember.album = (SELECT id FROM album WHERE uuid = ?) AND position > ? AND state = 'live'
                ORDER BY position LIMIT ?
                """, .uuid(album.uuid), .integer(cursor), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit)
    }

    /// How many assets are live.
    package func assetCount() throws -> Int {
        try remembered(.assets) {
            try connection.first("SELECT count(*) FROM asset WHERE state = 'live'") { Int($0.integer(0)) } ?? 0
        }
    }

    /// How many originals are there, and how many of those are missing or corrupt.
    package func contentCounts() throws -> (all: Int, unsound: Int, byteCount: Int64) {
        try remembered(.contents) {
            try connection.first(
                "SELECT count(*), coalesce(sum(condition <> 'sound'), 0), coalesce(sum(byteCount), 0) FROM content"
            ) { (Int($0.integer(0)), Int($0.integer(1)), $0.integer(2)) } ?? (0, 0, 0)
        }
    }

    /// A page of contents by hash, for recovery and verification; pass the last hash to go on.
    package func contents(after hash: ContentHash?, limit: Int) throws -> [Version] {
        try connection.all(
            """
            SELECT content.hash, byteCount, contentType, fileExtension, 0, residency, condition, transfer
            FROM content LEFT JOIN transfer ON transfer.hash = content.hash
            WHERE content.hash > ? ORDER BY content.hash LIMIT ?
            """, .blob(hash?.bytes ?? []), .integer(Int64(limit))
        ) { try Self.version($0) }
    }

    func assetRow(_ identifier: LocalIdentifier) throws -> AssetRow? {
        try connection.first(
            Self.assetColumns("id") + "FROM asset WHERE uuid = ?", .uuid(identifier.uuid)
        ) { try AssetRow($0) }
    }

    /// What `AssetRow` reads; `cursor` is the column that pages are counted by.
    static func assetColumns(_ cursor: String) -> String {
        """
        SELECT asset.id, asset.uuid, mediaType, creationDate, creationDateSource, asset.addedDate, modificationDate,
            state, \(cursor), trashedDate, trashReason, trashFolder, trashRunningSeconds

        """
    }

    func page(_ rows: [AssetRow], limit: Int) throws -> Page<Asset> {
        Page(rows: try rows.map(asset), next: rows.count == limit ? rows.last?.cursor : nil)
    }

    private func asset(_ row: AssetRow) throws -> Asset {
        var asset = row.asset
        asset.resources = try connection.all(
            "SELECT id, type, originalFilename FROM resource WHERE asset = ? ORDER BY type, number", .integer(row.id)
        ) { ($0.integer(0), Int($0.integer(1)), $0.blob(2)) }
        .map { id, type, name in
            guard let type = ResourceType(rawValue: type) else { throw LibraryError.corruptRow("resource type") }
            return Resource(type: type, originalFilename: PathBytes(name), versions: try versions(of: id))
        }
        return asset
    }

    private func versions(of resource: Int64) throws -> [Version] {
        try connection.all(
            """
            SELECT content.hash, byteCount, contentType, fileExtension, addedDate, residency, condition, transfer
            FROM version JOIN content ON content.hash = version.hash LEFT JOIN transfer ON transfer.hash = content.hash
            WHERE resource = ? ORDER BY ordinal
            """, .integer(resource)
        ) { try Self.version($0) }
    }

    static func version(_ row: borrowing Row) throws -> Version {
        let content = Content(
            hash: try row.hash(0), byteCount: row.integer(1), contentType: row.text(2), fileExtension: row.text(3))
        return Version(
            content: content, addedDate: row.date(4), residency: try row.word(5), condition: try row.word(6),
            transfer: row.isNull(7) ? nil : try row.word(7))
    }
}

/// One row of the asset table, its resources not yet read.
struct AssetRow {
    let id: Int64
    let cursor: Int64
    var asset: Asset

    init(_ row: borrowing Row) throws {
        id = row.integer(0)
        cursor = row.integer(8)
        asset = Asset(
            localIdentifier: LocalIdentifier(try row.uuid(1)), mediaType: try row.word(2), creationDate: row.date(3),
            creationDateSource: try row.word(4), addedDate: row.date(5), modificationDate: row.date(6),
            state: try row.word(7), trashing: try Self.trashing(row), resources: [])
    }

    private static func trashing(_ row: borrowing Row) throws -> Trashing? {
        guard !row.isNull(9) else { return nil }
        return Trashing(
            date: row.date(9), reason: try row.word(10), folder: row.isNull(11) ? nil : try row.uuid(11),
            runningSeconds: row.integer(12))
    }
}

/// Some rows of a list, and the cursor that the next page starts after; nil at the end.
package struct Page<Element> {
    package var rows: [Element]
    package var next: Int64?

    package init(rows: [Element], next: Int64?) {
        self.rows = rows
        self.next = next
    }
}
