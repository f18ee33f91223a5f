import SQLite
import Testing

@Suite struct StatementTests {
    @Test func theSameTextIsCompiledOnce() throws {
        try withDatabase { database throws in
            let first = try database.prepare("SELECT ?")
            try first.run(1)
            #expect(try database.prepare("SELECT ?") === first)
        }
    }

    @Test func aQueryCanBeNestedInItself() throws {
        try withDatabase { database throws in
            let sql = "SELECT value FROM json_each(?)"
            var pairs: [[Int]] = []
            try database.query(sql, "[1,2]") { outer in
                let left = outer.int(0)
                try database.query(sql, "[3,4]") { inner in pairs.append([left, inner.int(0)]) }
            }
            #expect(pairs == [[1, 3], [1, 4], [2, 3], [2, 4]])
        }
    }

    @Test func oneStatementRunInItsOwnRowsIsRefusedInWords() throws {
        try withDatabase { database throws in
            let statement = try database.prepare("SELECT value FROM json_each('[1,2]')")
            let error = #expect(throws: DatabaseError.self) {
                try statement.query([]) { _ in try statement.run() }
            }
            #expect(error?.message == "the statement is already running")
            try statement.run()
        }
    }

    @Test func aThrowInsideARowLeavesTheStatementUsableAndUnbound() throws {
        struct Stop: Error {}
        try withDatabase { database throws in
            try database.execute("CREATE TABLE item (id INTEGER)")
            let sql = "SELECT value FROM json_each(?)"
            #expect(throws: Stop.self) { try database.query(sql, "[1,2,3]") { _ in throw Stop() } }
            #expect(try database.all(sql, "[9]") { row in row.int(0) } == [9])
            // A statement that was not reset would hold its read lock and forbid this.
            try database.execute("DROP TABLE item")
        }
    }

    @Test(arguments: [[], [Value.integer(1)], [1, 2, 3]])
    func aWrongNumberOfArgumentsIsRefused(_ arguments: [Value]) throws {
        try withDatabase { database throws in
            let error = #expect(throws: DatabaseError.self) { try database.run("SELECT ?, ?", arguments) }
            #expect(error?.message == "\(arguments.count) arguments for 2 parameters")
        }
    }

    @Test(arguments: ["SELECT 1; SELECT 2", "", "-- nothing"])
    func onlyExactlyOneStatementCanBePrepared(_ sql: String) throws {
        try withDatabase { database throws in
            let error = #expect(throws: DatabaseError.self) { _ = try database.prepare(sql) }
            #expect(error?.isMisuse == true)
        }
    }

    @Test func aSemicolonAtTheEndIsNoSecondStatement() throws {
        try withDatabase { database throws in #expect(try database.number("SELECT 5;\n") == 5) }
    }

    @Test func wrongSQLNamesItselfInTheError() throws {
        try withDatabase { database throws in
            let error = #expect(throws: DatabaseError.self) { try database.run("SELEKT 1") }
            #expect(error?.sql == "SELEKT 1")
            #expect(error?.message.contains("SELEKT") == true)
        }
    }

    @Test func firstReadsOneRowAndFindsNoneInAnEmptyTable() throws {
        try withDatabase { database throws in
            #expect(try database.number("SELECT value FROM json_each('[4,5]')") == 4)
            #expect(try database.number("SELECT value FROM json_each('[]')") == nil)
        }
    }

    @Test func changesAndTheLastRowAreCounted() throws {
        try withDatabase { database throws in
            try database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER)")
            try database.run("INSERT INTO item VALUES (41, 0), (42, 0)")
            #expect(database.changes == 2)
            #expect(database.lastInsertRowID == 42)
        }
    }

    @Test func aThousandGeneratedStatementsAreNotAllKept() throws {
        try withDatabase { database throws in
            for number in 1...1000 { try database.run("SELECT \(number)") }
            let kept = try database.number("SELECT count(*) FROM sqlite_stmt")
            #expect(try #require(kept) <= 257)
        }
    }
}
