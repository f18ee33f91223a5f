package import PhotoModel
import SQLite

/// Reading what an audit and a repair ask.
extension Catalogue {
    /// Contents whose local bytes are not as they should be, by hash, after the last one.
    package func unsoundContents(after hash: ContentHash?, limit: Int) throws -> [Version] {
        try connection.all(
            """
            SELECT content.hash, byteCount, contentType, fileExtension, 0, residency, condition, transfer
            FROM content LEFT JOIN transfer ON transfer.hash = content.hash
            WHERE condition <> 'sound' AND content.hash > ? ORDER BY content.hash LIMIT ?
            """, .blob(hash?.bytes ?? []), .integer(Int64(limit))
        ) { try Self.version($0) }
    }

    /// How many contents are in each condition but `sound`.
    package func unsoundCounts() throws -> [Condition: Int] {
        let counts = try connection.all(
            "SELECT condition, count(*) FROM content WHERE condition <> 'sound' GROUP BY condition"
        ) { (Condition(rawValue: $0.text(0)), Int($0.integer(1))) }
        return Dictionary(counts.compactMap { name, count in name.map { ($0, count) } }, uniquingKeysWith: +)
    }

    /// Whether originals are to be on the disk.
    func hasLocalOriginals() throws -> Bool {
        try connection.first("SELECT EXISTS (SELECT 1 FROM content WHERE residency <> 'inCloud')") { $0.bool(0) }
            ?? false
    }

    /// The names that originals must have, in their order, after a hash: what a start compares with the disk.
    package func expectedOriginals(after hash: ContentHash?, limit: Int) throws -> [ExpectedOriginal] {
        var last: [UInt8] = []
        return try connection.all(
            """
            SELECT hash, fileExtension, condition = 'sound', residency <> 'inCloud' FROM content
            WHERE hash > ? ORDER BY hash LIMIT ?
            """, .blob(hash?.bytes ?? []), .integer(Int64(limit))
        ) { row in
            row.withText(1) { if !$0.elementsEqual(last) { last = Array($0) } }
            let name = StoredName(hash: try row.hash(0), fileExtension: last)
            return ExpectedOriginal(name: name, isSound: row.bool(2), isLocal: row.bool(3))
        }
    }

    /// The sources whose file had these bytes when it was last read, those first that may still be there.
    package func sources(having hash: ContentHash) throws -> [Source] {
        try connection.all(
            Self.sourceColumns
                + "WHERE source.hash = ? ORDER BY isRemoved, departedDate IS NOT NULL, source.id",
            .blob(hash.bytes)
        ) { try Self.source($0) }
    }

    /// How many live assets have a version whose local bytes are not as they should be.
    package func unsafeAssetCount() throws -> Int {
        try remembered(.unsafeAssets) {
            try connection.first(
                """
                SELECT count(DISTINCT asset.id) FROM content JOIN version ON version.hash = content.hash
                JOIN resource ON resource.id = version.resource JOIN asset ON asset.id = resource.asset
                WHERE condition <> 'sound' AND state = 'live'
                """
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// What SQLite finds wrong with the file, every page read (sqlite.org/pragma.html#pragma_integrity_check), and rows that
    /// name what is not there.
    package func integrityFindings() throws -> [String] {
        let findings = try connection.integrityCheck()
        return try findings.isEmpty ? connection.danglingReferences() : findings
    }
}

/// What a row says of one original's file.
package struct ExpectedOriginal: Sendable {
    var name: StoredName
    var isSound: Bool
    var isLocal: Bool
}
