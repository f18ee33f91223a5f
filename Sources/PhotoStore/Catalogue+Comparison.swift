import FoundationEssentials
import PhotoModel
import SQLite

/// The rows of this catalogue beside those of another one, which is attached as `made`.
///
/// Names in the statements are those of the schema that albumd makes.
extension Catalogue {
    func attachMade(at path: String) throws { try connection.attach(path, as: "made") }

    /// The tables of the one that is attached, beside those that are not compared.
    func comparedTables() throws -> [ComparedTable] {
        let names = try connection.all(
            "SELECT name FROM made.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        ) { $0.text(0) }
        return try names.filter { !ComparedTable.others.contains($0) }.map { name in
            let columns = try connection.all(
                "SELECT name, pk FROM pragma_table_info(?, 'made') ORDER BY cid", .text(name)
            ) { (name: $0.text(0), key: $0.int(1)) }
            return ComparedTable(
                name: name, keys: columns.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name),
                columns: columns.map(\.name))
        }
    }

    /// The last key of the next `limit` rows; nil where there are not so many.
    func lastKey(of table: ComparedTable, after key: [Value]?, limit: Int) throws -> [Value]? {
        let names = table.keys.joined(separator: ", ")
        let bounds = bounds(of: table, as: "one", in: RowRange(after: key))
        var last: [Value]?
        try connection.query(
            "SELECT \(names) FROM main.\(table.name) AS one WHERE \(bounds.text) ORDER BY \(names) LIMIT 1 OFFSET ?",
            bounds.values + [.integer(Int64(limit - 1))]
        ) { row in last = table.keys.indices.map { row.value($0) } }
        return last
    }

    /// The keys of rows that are not the same in both, or are in one alone, so many at most.
    func differingKeys(of table: ComparedTable, in range: RowRange, limit: Int) throws -> [[Value]] {
        let isSame = table.keys.map { "made.\($0) = own.\($0)" }.joined(separator: " AND ")
        let isOther = table.others.map { " OR own.\($0) IS NOT made.\($0)" }.joined()
        let own = bounds(of: table, as: "own", in: range)
        let here = try keys(
            of: table, as: "own",
            """
            FROM main.\(table.name) AS own LEFT JOIN made.\(table.name) AS made ON \(isSame)
            WHERE \(own.text) AND (made.\(table.keys[0]) IS NULL\(isOther)) LIMIT \(limit)
            """, own.values)
        let made = bounds(of: table, as: "made", in: range)
        let there = try keys(
            of: table, as: "made",
            """
            FROM made.\(table.name) AS made WHERE \(made.text)
                AND NOT EXISTS (SELECT 1 FROM main.\(table.name) AS own WHERE \(isSame)) LIMIT \(limit)
            """, made.values)
        return Array((here + there).prefix(limit))
    }

    /// One row of both.
    func pair(_ key: [Value], of table: ComparedTable) throws -> RowPair {
        RowPair(own: try row(key, of: table, in: "main"), made: try row(key, of: table, in: "made"))
    }

    /// The asset that a row is of, as either of them has it; nil where it is of none, or of several.
    func asset(of table: ComparedTable, _ row: [Value]) throws -> LocalIdentifier? {
        func value(_ column: String) -> Value? { table.columns.firstIndex(of: column).map { row[$0] } }
        for place in ["main", "made"] {
            let found: LocalIdentifier?
            if table.name == "asset", let uuid = value("uuid") {
                found = try identifier("SELECT ?", uuid)
            } else if let asset = value("asset") {
                found = try identifier("SELECT uuid FROM \(place).asset WHERE id = ?", asset)
            } else if let resource = value("resource") {
                found = try identifier(
                    "SELECT uuid FROM \(place).asset WHERE id = (SELECT asset FROM \(place).resource WHERE id = ?)",
                    resource)
            } else if let hash = value("hash") {
                found = try identifier(
                    """
                    SELECT uuid FROM \(place).asset WHERE id = (SELECT asset FROM \(place).resource WHERE id =
                        (SELECT resource FROM \(place).version WHERE hash = ? LIMIT 1))
                    """, hash)
            } else {
                return nil
            }
            if let found { return found }
        }
        return nil
    }

    private func identifier(_ sql: String, _ value: Value) throws -> LocalIdentifier? {
        try connection.first(sql, value) { UUID(bytes: $0.blobIfPresent(0) ?? []).map { LocalIdentifier($0) } } ?? nil
    }

    private func row(_ key: [Value], of table: ComparedTable, in place: String) throws -> [Value]? {
        let isKey = table.keys.map { "\($0) = ?" }.joined(separator: " AND ")
        let names = table.columns.joined(separator: ", ")
        var found: [Value]?
        try connection.query("SELECT \(names) FROM \(place).\(table.name) WHERE \(isKey)", key) { row in
            found = table.columns.indices.map { row.value($0) }
        }
        return found
    }

    private func keys(
        of table: ComparedTable, as alias: String, _ rest: String, _ values: [Value]
    ) throws -> [[Value]] {
        var found: [[Value]] = []
        let names = table.keys.map { "\(alias).\($0)" }.joined(separator: ", ")
        try connection.query("SELECT \(names) \(rest)", values) { row in
            found.append(table.keys.indices.map { row.value($0) })
        }
        return found
    }

    private func bounds(
        of table: ComparedTable, as alias: String, in range: RowRange
    ) -> (text: String, values: [Value]) {
        let names = "(\(table.keys.map { "\(alias).\($0)" }.joined(separator: ", ")))"
        let places = "(\(table.keys.map { _ in "?" }.joined(separator: ", ")))"
        let parts = [(range.after, ">"), (range.upTo, "<=")].compactMap { key, sign in
            key.map { (text: "\(names) \(sign) \(places)", values: $0) }
        }
        guard !parts.isEmpty else { return ("true", []) }
        return (parts.map(\.text).joined(separator: " AND "), parts.flatMap(\.values))
    }
}
