import Control
import PhotoModel

/// Lists that the daemon gives page by page.
extension API {
    /// The most rows that one page has.
    static let pageSize: Int64 = 500

    /// Calls `each` with page after page, until `limit` rows have come, or all.
    func pages<Row: Codable & Sendable & Equatable>(
        _ operation: Operation, query: [String: String] = [:], limit: Int64? = nil, of type: Row.Type,
        _ each: ([Row]) -> Void
    ) throws(Problem) {
        var (query, left, cursor) = (query, limit ?? .max, Int64(0))
        while left > 0 {
            // A list that always comes whole has no pages.
            if operation.queryKeys.contains("limit") { query["limit"] = String(min(left, Self.pageSize)) }
            let page = try ask(operation, query: query, as: PageOf<Row>.self).value
            let rows = page.rows.prefix(Int(clamping: left))
            each(Array(rows))
            left -= Int64(rows.count)
            // A cursor that does not advance is an end: nothing may loop for ever.
            guard let next = page.next, next > cursor else { return }
            cursor = next
            query["after"] = String(next)
        }
    }

    /// All rows of a short list.
    func rows<Row: Codable & Sendable & Equatable>(
        _ operation: Operation, query: [String: String] = [:], of type: Row.Type
    ) throws(Problem) -> [Row] {
        var rows: [Row] = []
        try pages(operation, query: query, of: type) { rows += $0 }
        return rows
    }
}
