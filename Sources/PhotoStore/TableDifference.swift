import FoundationEssentials
package import PhotoModel
import Platform
import SQLite

/// A row of the catalogue that is not what its history makes.
package struct TableDifference: Sendable, Equatable {
    /// For a person: which row of which table, and how it differs.
    package let sentence: String
    package let localIdentifier: LocalIdentifier?
    package let hash: ContentHash?

    /// Nil where neither has the row.
    init?(_ pair: RowPair, of table: ComparedTable, _ asset: LocalIdentifier?) {
        guard let row = pair.own ?? pair.made else { return nil }
        func words(_ column: String, _ row: [Value]) -> String {
            table.columns.firstIndex(of: column).map { shown(row[$0], column) } ?? ""
        }
        let place = table.keys.map { "\($0) \(words($0, row))" }.joined(separator: ", ")
        let which = "the row of \(table.name) with \(place)"
        switch (pair.own, pair.made) {
        case (let own?, let made?):
            let parts = table.columns.indices.filter { own[$0] != made[$0] }.map { index in
                let column = table.columns[index]
                return "\(column) \(shown(own[index], column)), and by its history it is \(shown(made[index], column))"
            }
            sentence = "\(which) has \(parts.joined(separator: "; "))"
        case (_?, nil): sentence = "\(which) is in the catalogue, and its history makes no such row"
        default: sentence = "\(which) is not in the catalogue, and its history makes it"
        }
        localIdentifier = asset
        hash = table.columns.firstIndex(of: "hash").flatMap { index in
            if case .blob(let bytes) = row[index] { ContentHash(bytes: bytes) } else { nil }
        }
    }
}

/// A value of a column in words.
private func shown(_ value: Value, _ column: String) -> String {
    switch value {
    case .null: "nothing"
    case .integer(let number) where column.hasSuffix("Date") || column == "until": Date(microseconds: number).rfc3339
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): "'\(printable(String(text.prefix(100))))'"
    case .blob(let bytes): shown(bytes, column)
    }
}

private func shown(_ bytes: [UInt8], _ column: String) -> String {
    if let hash = ContentHash(bytes: bytes) { return hash.hexadecimal }
    let isIdentifier = column.lowercased().hasSuffix("uuid") || column == "trashFolder"
    if isIdentifier, let uuid = UUID(bytes: bytes) { return uuid.uuidString }
    return "'\(printable(Array(bytes.prefix(100))))'"
}
