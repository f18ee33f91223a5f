import FoundationEssentials
import PhotoModel
import SQLite

/// Applying requests about sources, and the diary beside them.
extension Catalogue {
    func record(_ source: Source, at date: Date) throws -> Bool {
        guard try self.source(source.key) != source else { return false }
        let evidence = source.evidence
        try connection.run(
            """
            INSERT INTO source (folder, path, asset, outcome, reason, detail, fileSystem, inode, handle, born, modified,
                changed, byteCount, hash, rulesVersion, isRemoved, departedDate, departureEvidence, isReleased,
                decidedDate)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (folder, path) DO UPDATE SET asset = excluded.asset, outcome = excluded.outcome,
                reason = excluded.reason, detail = excluded.detail, fileSystem = excluded.fileSystem,
                inode = excluded.inode, handle = excluded.handle, born = excluded.born, modified = excluded.modified,
                changed = excluded.changed, byteCount = excluded.byteCount, hash = excluded.hash,
                rulesVersion = excluded.rulesVersion, isRemoved = excluded.isRemoved,
                departedDate = excluded.departedDate, departureEvidence = excluded.departureEvidence,
                isReleased = excluded.isReleased, decidedDate = excluded.decidedDate
            """, .integer(try rowID(folder: source.key.folder)), .blob(source.key.path.bytes),
            .integer(try source.localIdentifier.map(rowID(asset:))), .text(source.outcome.rawValue),
            .text(source.reason.rawValue), .text(source.detail), .blob(evidence?.fileSystem),
            .integer(evidence.map { Int64(bitPattern: $0.inode) }), .blob(evidence?.handle), .integer(evidence?.born),
            .integer(evidence?.modified), .integer(evidence?.changed), .integer(evidence?.byteCount),
            .blob(evidence?.hash?.bytes), .integer(source.rulesVersion.map { Int64($0) }), .flag(source.isRemoved),
            .date(source.departure?.date), .text(source.departure?.evidence.rawValue), .flag(source.isReleased),
            .date(date))
        return true
    }

    func forget(_ key: SourceKey) throws -> Bool {
        try connection.run(
            "DELETE FROM source WHERE folder = (SELECT id FROM folder WHERE uuid = ?) AND path = ?", .uuid(key.folder),
            .blob(key.path.bytes))
        return connection.changes > 0
    }

    /// Adds to the story of a source and keeps its newest sixteen entries.
    func tell(_ story: String, of key: SourceKey, at date: Date) throws {
        let folder = try rowID(folder: key.folder)
        try connection.run(
            "INSERT INTO decision (folder, path, date, story) VALUES (?, ?, ?, ?)", .integer(folder),
            .blob(key.path.bytes), .date(date), .text(story))
        try connection.run(
            """
            DELETE FROM decision WHERE folder = ?1 AND path = ?2 AND id <=
                (SELECT id FROM decision WHERE folder = ?1 AND path = ?2 ORDER BY id DESC LIMIT 1 OFFSET 16)
            """, .integer(folder), .blob(key.path.bytes))
    }
}
