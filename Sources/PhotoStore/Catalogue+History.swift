package import FoundationEssentials
import PhotoModel
import SQLite

/// The history: the feed of changes, and what the journal repeats.
extension Catalogue {
    /// Changes of which a restore or a rebuild found the token alone.
    package func lostChangeCount() throws -> Int {
        try connection.first("SELECT count(*) FROM history WHERE origin = 'lost'") { $0.int(0) } ?? 0
    }

    /// Tokens in whose place a line stands for a change that is lost.
    package func lostTokens() throws -> Set<Int64> {
        Set(try connection.all("SELECT token FROM history WHERE origin = 'lost'") { $0.integer(0) })
    }

    /// Committed changes after a token, oldest first.
    package func history(after token: Int64, limit: Int) throws -> [HistoryLine] {
        try connection.all(
            "SELECT token, date, origin, changes FROM history WHERE token > ? ORDER BY token LIMIT ?",
            .integer(token), .integer(Int64(limit))
        ) { HistoryLine(token: $0.integer(0), date: $0.date(1), origin: $0.text(2), changes: $0.text(3)) }
    }

    func historyLine(_ token: Int64) throws -> HistoryLine? {
        try history(after: token - 1, limit: 1).first.flatMap { $0.token == token ? $0 : nil }
    }

    /// The token of the newest change; 0 before the first.
    package func lastToken() throws -> Int64 {
        try connection.first("SELECT coalesce(max(token), 0) FROM history") { $0.integer(0) } ?? 0
    }

    func appendHistory(_ changes: String, origin: String, at date: Date) throws -> Int64 {
        try connection.run(
            "INSERT INTO history (date, origin, changes) VALUES (?, ?, ?)", .date(date), .text(origin), .text(changes))
        return connection.lastInsertRowID
    }
}

/// One committed change as the history keeps it.
package struct HistoryLine: Sendable, Equatable {
    package var token: Int64
    package var date: Date
    /// Who asked: `import`, `recovery`, `retention`, `verify`, `repair`, or `api uid N`.
    package var origin: String
    /// The requests as a JSON array.
    package var changes: String

    /// What stands in the place of a change that is lost.
    package static func lost(_ token: Int64, at date: Date) -> HistoryLine {
        HistoryLine(token: token, date: date, origin: lostOrigin, changes: "[]")
    }

    package var isLost: Bool { origin == Self.lostOrigin }

    static let lostOrigin = "lost"

    /// The line of the journal and of the feed: one JSON object.
    package var json: String {
        #"{"token":\#(token),"date":"\#(date.rfc3339)","origin":\#(jsonText(origin)),"changes":\#(changes)}"#
    }
}
