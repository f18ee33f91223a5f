import Platform
import SQLite

/// A catalogue and what its history makes, while they are compared: first the history is made again, then its rows are
/// held against the catalogue's, some at a time.
///
/// Each step that compares is a short read of its own, and makes what was committed meanwhile again before it: both are at
/// the same change.
struct TableComparison {
    /// Rows that are compared in one read.
    private static let rowsPerStep = 5000
    /// Changes that are read at once, each some hundred kilobytes at most.
    private static let changesPerRead = 64
    private static let bytesPerStep = 4 << 20

    let reader: Catalogue
    private let made: Catalogue
    private let path: String
    private var token: Int64 = 0
    /// Those that are left; nil before the history was made again as far as it goes.
    private var tables: ArraySlice<ComparedTable>?
    private var after: [Value]?
    private var found: [TableDifference] = []

    init(of catalogue: String, with path: String, vfs: String?) throws {
        self.path = path
        reader = try Catalogue.openForReading(at: catalogue, vfs: vfs)
        made = try Catalogue.openForWriting(at: path, vfs: vfs)
        try made.connection.giveUpDurability()
        try made.migrate { _ in }
    }

    var isBegun: Bool { token > 0 }

    func close() {
        reader.close()
        made.close()
    }

    /// The next step; what does not follow from the changes before it is thrown.
    mutating func advance() throws -> TableAudit.Step {
        if let table = tables?.first, found.count < TableAudit.limit { return try compare(table) }
        guard tables == nil else { return .compared(found) }
        let (byteCount, newest) = try replay()
        if token >= newest {
            try reader.attachMade(at: path)
            tables = try reader.comparedTables()[...]
        }
        return .going(replayed: token, of: newest, byteCount: byteCount)
    }

    /// Makes some changes again; returns how many bytes they were, and the newest change of the catalogue.
    private mutating func replay() throws -> (byteCount: Int, newest: Int64) {
        let newest = try reader.lastToken()
        var byteCount = 0
        while byteCount < TableComparison.bytesPerStep, token < newest {
            let lines = try reader.history(after: token, limit: TableComparison.changesPerRead)
            guard let last = lines.last?.token else { break }
            byteCount += lines.reduce(0) { $0 + $1.changes.utf8.count }
            try made.replayRows(lines.map(read))
            token = last
        }
        return (byteCount, newest)
    }

    private func read(_ line: HistoryLine) throws(LibraryError) -> JournalLine {
        guard let changes = try? changeRequests(fromHistory: line.changes) else {
            throw .journalUnfit(token: line.token, why: "it is damaged")
        }
        return JournalLine(token: line.token, date: line.date, origin: line.origin, changes: changes)
    }

    private mutating func compare(_ table: ComparedTable) throws -> TableAudit.Step {
        let reader = reader
        var byteCount = TableComparison.rowsPerStep * 100
        try reader.reading {
            while try reader.lastToken() > token { byteCount += try replay().byteCount }
            let last = try reader.lastKey(of: table, after: after, limit: TableComparison.rowsPerStep)
            let range = RowRange(after: after, upTo: last)
            for key in try reader.differingKeys(of: table, in: range, limit: TableAudit.limit - found.count) {
                let pair = try reader.pair(key, of: table)
                let asset = try (pair.own ?? pair.made).flatMap { try reader.asset(of: table, $0) }
                if let difference = TableDifference(pair, of: table, asset) { found.append(difference) }
            }
            after = last
            if last == nil { tables?.removeFirst() }
        }
        return .going(replayed: token, of: token, byteCount: byteCount)
    }
}
