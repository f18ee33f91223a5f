package import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading sources and mappings.
extension Catalogue {
    package func source(_ key: SourceKey) throws -> Source? {
        try connection.first(
            Self.sourceColumns + "WHERE folder.uuid = ? AND source.path = ?", .uuid(key.folder), .blob(key.path.bytes)
        ) { try Self.source($0) }
    }

    /// Every source of an asset.
    package func sources(of asset: LocalIdentifier) throws -> [Source] {
        try connection.all(
            Self.sourceColumns + "WHERE source.asset = (SELECT id FROM asset WHERE uuid = ?) ORDER BY source.id",
            .uuid(asset.uuid)
        ) { try Self.source($0) }
    }

    /// The mapped sources whose file had this inode number, on whatever file system.
    package func mappedSources(inode: UInt64) throws -> [Source] {
        try connection.all(
            Self.sourceColumns + "WHERE source.inode = ? AND source.asset IS NOT NULL ORDER BY source.id",
            .integer(Int64(bitPattern: inode))
        ) { try Self.source($0) }
    }

    /// The sources of a folder in the order of their path bytes, after a path: what a scan is merged with.
    package func sources(in folder: UUID, after path: PathBytes?, limit: Int) throws -> [Source] {
        // Two statements: with an OR in one, each page would be looked for from the folder's first path on.
        try connection.all(
            Self.sourceColumns
                + """
                WHERE source.folder = (SELECT id FROM folder WHERE uuid = ?) AND source.path \(path == nil ? ">=" : ">") ?
                ORDER BY source.path LIMIT ?
                """, .uuid(folder), .blob(path?.bytes ?? []), .integer(Int64(limit))
        ) { try Self.source($0) }
    }

    /// A page of the sources that wait: pending, blocked or failed.
    ///
    /// The cursor is the row's number.
    package func waitingSources(after cursor: Int64, limit: Int) throws -> Page<(source: Source, decidedDate: Date)> {
        let rows = try connection.all(
            Self.sourceColumns
                + """
                WHERE source.outcome IN ('pending', 'blocked', 'failed') AND source.id > ?
                ORDER BY source.id LIMIT ?
                """, .integer(cursor), .integer(Int64(limit))
        ) { (id: $0.integer(17), source: try Self.source($0), date: $0.date(16)) }
        return Page(rows: rows.map { ($0.source, $0.date) }, next: rows.count == limit ? rows.last?.id : nil)
    }

    /// Whether a source below a directory of a folder waits.
    package func hasWaitingSource(below directory: SourceKey) throws -> Bool {
        let start = directory.path.bytes + [UInt8(ascii: "/")]
        let end = directory.path.bytes + [UInt8(ascii: "/") + 1]
        return try connection.first(
            """
            SELECT 1 FROM source
            WHERE folder = (SELECT id FROM folder WHERE uuid = ?) AND path > ? AND path < ?
                AND outcome IN ('pending', 'blocked', 'failed')
            LIMIT 1
            """, .uuid(directory.folder), .blob(start), .blob(end)
        ) { _ in true } ?? false
    }

    /// How many sources there are by outcome and reason.
    package func sourceCounts(in folder: UUID? = nil) throws -> [(outcome: Outcome, reason: Reason, count: Int)] {
        guard let folder else { return try remembered(.sources) { try countSources(in: nil) } }
        return try countSources(in: folder)
    }

    private func countSources(in folder: UUID?) throws -> [(outcome: Outcome, reason: Reason, count: Int)] {
        try connection.all(
            """
            SELECT outcome, reason, count(*) FROM source
            WHERE ?1 IS NULL OR folder = (SELECT id FROM folder WHERE uuid = ?1)
            GROUP BY outcome, reason ORDER BY outcome, reason
            """, .blob(folder?.bytes)
        ) { (try $0.word(0), try $0.word(1), Int($0.integer(2))) }
    }

    /// The asset that a caller's own identifier is bound to.
    package func externalMapping(_ externalIdentifier: String) throws -> LocalIdentifier? {
        try connection.first(
            """
            SELECT asset.uuid FROM externalMapping JOIN asset ON asset.id = externalMapping.asset
            WHERE externalIdentifier = ?
            """, .text(externalIdentifier)
        ) { LocalIdentifier(try $0.uuid(0)) }
    }

    /// How a mapping to this asset stands (A60); nil is what nothing is mapped to.
    package func mappingState(of identifier: LocalIdentifier?) throws -> MappingState {
        guard let identifier else { return .absent }
        switch try assetRow(identifier)?.asset.state {
        case .live: return .live
        case .trashed: return .trashed
        case .purged, nil: return .dangling
        }
    }

    package func externalIdentifiers(of asset: LocalIdentifier) throws -> [String] {
        try connection.all(
            """
            SELECT externalIdentifier FROM externalMapping WHERE asset = (SELECT id FROM asset WHERE uuid = ?)
            ORDER BY externalIdentifier
            """, .uuid(asset.uuid)
        ) { $0.text(0) }
    }

    /// What was decided of a source so far, oldest first.
    package func decisions(of key: SourceKey) throws -> [(date: Date, story: String)] {
        try connection.all(
            """
            SELECT date, story FROM decision
            WHERE folder = (SELECT id FROM folder WHERE uuid = ?) AND path = ? ORDER BY id
            """, .uuid(key.folder), .blob(key.path.bytes)
        ) { ($0.date(0), $0.text(1)) }
    }

    static let sourceColumns = """
        SELECT folder.uuid, source.path, asset.uuid, outcome, reason, detail, source.fileSystem, inode, handle, born,
            modified, changed, byteCount, hash, rulesVersion, isRemoved, decidedDate, source.id, departedDate,
            departureEvidence, isReleased
        FROM source JOIN folder ON folder.id = source.folder LEFT JOIN asset ON asset.id = source.asset

        """

    static func source(_ row: borrowing Row) throws -> Source {
        Source(
            key: SourceKey(folder: try row.uuid(0), path: PathBytes(row.blob(1))),
            localIdentifier: row.isNull(2) ? nil : LocalIdentifier(try row.uuid(2)), outcome: try row.word(3),
            reason: try row.word(4), detail: row.textIfPresent(5), evidence: try evidence(row),
            rulesVersion: row.integerIfPresent(14).map { Int($0) }, isRemoved: row.integer(15) == 1,
            departure: row.isNull(18) ? nil : Departure(date: row.date(18), evidence: try row.word(19)),
            isReleased: row.integer(20) == 1)
    }

    private static func evidence(_ row: borrowing Row) throws -> SourceEvidence? {
        guard !row.isNull(7) else { return nil }
        return SourceEvidence(
            fileSystem: row.blobIfPresent(6), inode: row.bits(7), handle: row.blobIfPresent(8),
            born: row.integerIfPresent(9), modified: row.integer(10), changed: row.integer(11),
            byteCount: row.integer(12), hash: row.isNull(13) ? nil : try row.hash(13))
    }
}
