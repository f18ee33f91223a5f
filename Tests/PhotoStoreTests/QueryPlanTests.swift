import FoundationEssentials
import PhotoModel
import PhotoStore
import SQLite
import TestSupport
import Testing

/// What a start and a scan read page by page comes in order from an index: nothing is sorted, and no page begins with
/// what the pages before it had.
@Suite struct QueryPlanTests {
    @Test func noPageOfAStartOrAScanIsSortedOrLookedForFromTheBeginning() throws {
        try withScratchFolder(#function) { scratch in
            let home = RealLibrary(in: scratch)
            try home.make()
            try home.withCatalogue { connection in
                let catalogue = Catalogue(connection)
                let folder = try #require(UUID(uuidString: "F0000000-0000-4000-8000-000000000001"))
                for path in [nil, PathBytes("a")] {
                    _ = try catalogue.sources(in: folder, after: path, limit: 10)
                    _ = try catalogue.glances(in: folder, after: path, limit: 10)
                }
                _ = try catalogue.contents(after: nil, limit: 10)
                _ = try catalogue.expectedOriginals(after: nil, limit: 10)
                for plan in try plans(of: connection) {
                    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
                    #expect(!plan.contains("SCAN"), "\(plan)")
                    let isOfSources = plan.contains("SEARCH source ")
                    #expect(!isOfSources || plan.contains("(folder=? AND path>"), "\(plan)")
                }
            }
        }
    }

    private func plans(of connection: Connection) throws -> [String] {
        let statements = connection.preparedStatements.filter { $0.sql.contains("ORDER BY") }
        #expect(statements.count == 6)
        return try statements.map { statement in
            var plan: [String] = []
            let explain = try connection.prepare("EXPLAIN QUERY PLAN " + statement.sql)
            let nothing = [Value](repeating: .null, count: Int(statement.parameterCount))
            try explain.query(nothing) { plan.append($0.text(3)) }
            return plan.joined(separator: "; ")
        }
    }
}
