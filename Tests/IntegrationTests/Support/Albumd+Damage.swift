import SQLite
import Testing

extension Albumd {
    /// Makes a change of the catalogue's history one that no reader takes for a change.
    ///
    /// It is the first, or the last, that has a source, as those of facts have none. Returns its token; albumd must not run.
    @discardableResult
    func damageHistory(_ which: HistoryPlace) throws -> Int64 {
        let connection = try Connection(path: installation.library + "/catalogue.sqlite", mode: .readWrite)
        defer { connection.close() }
        let sources = "SELECT \(which.rawValue)(token) FROM history WHERE changes LIKE '%recordSource%'"
        let token = try #require(try connection.first(sources) { $0.integer(0) })
        try connection.run(
            "UPDATE history SET changes = replace(changes, 'recordSource', 'recordSourcd') WHERE token = ?",
            .integer(token))
        return token
    }
}

enum HistoryPlace: String {
    case first = "min"
    case last = "max"
}
