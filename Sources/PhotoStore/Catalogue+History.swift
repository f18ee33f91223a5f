package import FoundationEssentials
import PhotoModel
import SQLite

/// Reading the history: the feed of changes.
extension Catalogue {
    /// Committed changes after a token, oldest first.
    package func history(after token: Int64, limit: Int) throws -> [HistoryLine] {
        try connection.all(
            "SELECT token, date, origin, changes FROM history WHERE token > ? ORDER BY token LIMIT ?",
            .integer(token), .integer(Int64(limit))
        ) { HistoryLine(token: $0.integer(0), date: $0.date(1), origin: $0.text(2), changes: $0.text(3)) }
    }
}

/// One committed change as the history keeps it.
package struct HistoryLine: Sendable, Equatable {
    package var token: Int64
    package var date: Date
    /// Who asked: `import`, `recovery`, or `api uid N`.
    package var origin: String
    /// The requests as a JSON array.
    package var changes: String

    /// The line of the journal and of the feed: one JSON object.
    package var json: String {
        #"{"token":\#(token),"date":"\#(date.rfc3339)","origin":"\#(origin)","changes":\#(changes)}"#
    }
}
