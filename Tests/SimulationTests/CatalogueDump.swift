import SQLite

/// Every row of every table as text, in order; the running clock goes on by itself, and is left out.
func dumpCatalogue(at path: String, vfs: String?) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly, vfs: vfs)
    defer { connection.close() }
    let tables = try connection.all(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' AND name <> 'clock' ORDER BY name"
    ) { $0.text(0) }
    return try tables.flatMap { try dump($0, connection) }
}

private func dump(_ table: String, _ connection: Connection) throws -> [String] {
    let columns = try connection.all("SELECT count(*) FROM pragma_table_info(?)", .text(table)) { $0.int(0) }.first ?? 0
    // A name of the schema, not a value from outside.
    return try connection.all("SELECT * FROM \"\(table)\"") { row in
        "\(table): " + (0..<columns).map { show(row.value($0)) }.joined(separator: " | ")
    }.sorted()
}

private func show(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text
    case .blob(let bytes): bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

/// Whether the journal has what stands in this line: the stories of `why` are not, nor what was read or is to be, which
/// the bytes give again.
func isJournaled(_ line: String) -> Bool {
    let others = ["decision: ", "sqlite_sequence: ", "objectWork: ", "lastUse: ", "reading: ", "factsWork: "]
    return !others.contains { line.hasPrefix($0) }
}

func firstDifference(_ left: [String], _ right: [String]) -> String? {
    let gone = Set(left).subtracting(right).sorted()
    let new = Set(right).subtracting(left).sorted()
    guard !gone.isEmpty || !new.isEmpty else { return left.count == right.count ? nil : "rows are doubled" }
    return "- \(gone.first ?? "") + \(new.first ?? "")"
}
