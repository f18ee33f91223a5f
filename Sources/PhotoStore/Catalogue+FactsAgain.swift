import SQLite

/// What an older reader of media has read is put on the list again, once for each version of the reader.
///
/// A row of `reading` whose hash is all zeros, which no content has, says for which version that was done to the end.
extension Catalogue {
    private static let mark = [UInt8](repeating: 0, count: 32)

    /// Whether everything was put on the list for this version of the reader, or a newer one.
    package func isOnTheList(forReader version: Int) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM reading WHERE hash = ? AND reader >= ?", .blob(Self.mark), .integer(Int64(version))
        ) { _ in true } ?? false
    }

    func noteList(forReader version: Int) throws {
        try connection.run(
            "INSERT OR REPLACE INTO reading (hash, reader, facts, unreadable, tries) VALUES (?, ?, '{}', NULL, 0)",
            .blob(Self.mark), .integer(Int64(version)))
    }

    /// What was read may be lost: the list is made anew.
    func forgetList() throws { try connection.run("DELETE FROM reading WHERE hash = ?", .blob(Self.mark)) }

    /// Puts those of the next `limit` assets behind `row` on the list whose current bytes this version has not read;
    /// returns the last of them, or nil where none is left.
    func listStale(forReader version: Int, after row: Int64, limit: Int) throws -> Int64? {
        let last =
            try connection.first(
                "SELECT max(id), count(*) FROM (SELECT id FROM asset WHERE id > ? ORDER BY id LIMIT ?)", .integer(row),
                .integer(Int64(limit))
            ) { $0.int(1) == 0 ? nil : $0.integer(0) } ?? nil
        guard let last else { return nil }
        try connection.run(
            """
            INSERT OR IGNORE INTO factsWork (asset)
            SELECT asset.id FROM asset
            WHERE asset.id > ?1 AND asset.id <= ?2 AND state <> 'purged' AND NOT EXISTS (
                SELECT 1 FROM reading WHERE reader >= ?3 AND hash = (
                    SELECT hash FROM version WHERE resource =
                        (SELECT id FROM resource WHERE resource.asset = asset.id ORDER BY type LIMIT 1)
                    ORDER BY ordinal DESC LIMIT 1))
            """, .integer(row), .integer(last), .integer(Int64(version)))
        return last
    }
}

extension Change {
    /// Puts a part of what an older reader has read on the list, beside the requests and not among them.
    package func listStale(forReader version: Int, after row: Int64, limit: Int) throws -> Int64? {
        try catalogue.listStale(forReader: version, after: row, limit: limit)
    }

    /// All of it is on the list.
    package func noteList(forReader version: Int) throws { try catalogue.noteList(forReader: version) }
}
