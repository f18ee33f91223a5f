import SQLite

/// A table whose rows the history gives again, every one (docs/library-format.md).
struct ComparedTable: Sendable, Equatable {
    let name: String
    /// The columns that name a row, in the order of its index.
    let keys: [String]
    let columns: [String]

    /// What else a catalogue has is not in the history, or is work that was done since.
    static let others: Set = [
        "clock", "decision", "factsWork", "history", "lastUse", "objectWork", "reading", "unlinkWork",
    ]

    var others: [String] { columns.filter { !keys.contains($0) } }
}

/// Some rows of a table, those after one up to another; nil is the first, or the last.
struct RowRange: Sendable, Equatable {
    var after: [Value]?
    var upTo: [Value]?
}

/// One row as two catalogues have it: nil where one has none.
struct RowPair: Sendable, Equatable {
    var own: [Value]?
    var made: [Value]?
}
