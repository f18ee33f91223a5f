import SQLite
import Testing

@Suite struct ConnectionTests {
    @Test(arguments: [
        ("PRAGMA synchronous", 2), ("PRAGMA foreign_keys", 1), ("PRAGMA trusted_schema", 0),
        ("PRAGMA cell_size_check", 1), ("PRAGMA busy_timeout", 5000), ("PRAGMA journal_size_limit", 16 << 20),
        ("PRAGMA wal_autocheckpoint", 1000), ("PRAGMA query_only", 0),
    ])
    func aWriterHasTheSettingsThatKeepACommit(_ pragma: String, _ expected: Int) throws {
        try withDatabase { database throws in #expect(try database.number(pragma) == expected) }
    }

    @Test func theWriteAheadLogStaysOnWhenTheFileIsOpenedAgain() throws {
        try withDatabasePath { path throws in
            for _ in 1...2 {
                let database = try Connection(path: path, mode: .readWriteCreate)
                defer { database.close() }
                try database.useWriteAheadLog()
                #expect(try database.first("PRAGMA journal_mode") { row in row.text(0) } == "wal")
            }
        }
    }

    @Test func aDatabaseInMemoryIsRefusedAWriteAheadLog() throws {
        let database = try Connection(path: ":memory:", mode: .readWriteCreate)
        defer { database.close() }
        let error = #expect(throws: DatabaseError.self) { try database.useWriteAheadLog() }
        #expect(error?.isMisuse == true)
    }

    @Test func theSchemaTableCannotBeWritten() throws {
        try withDatabase { database throws in
            try database.execute("PRAGMA writable_schema = ON")
            #expect(throws: DatabaseError.self) { try database.execute("DELETE FROM sqlite_schema") }
        }
    }

    @Test func aNameInDoubleQuotesIsNeverAString() throws {
        try withDatabase { database throws in
            #expect(throws: DatabaseError.self) { try database.number("SELECT count(\"misspelt\")") }
        }
    }

    @Test func aMissingFileIsNotCreatedUnlessAsked() throws {
        try withDatabasePath { path throws in
            let error = #expect(throws: DatabaseError.self) { _ = try Connection(path: path, mode: .readWrite) }
            #expect(error?.message.contains(path) == true)
        }
    }

    @Test func aFileThatIsNoDatabaseIsReportedAsCorrupt() throws {
        try withDatabasePath { path throws in
            let text = String(repeating: "this is not a database. ", count: 100)
            try write(text, to: path)
            let database = try Connection(path: path, mode: .readWrite)
            defer { database.close() }
            let error = #expect(throws: DatabaseError.self) { try database.useWriteAheadLog() }
            #expect(error?.isCorrupt == true)
        }
    }

    @Test func aBrokenConstraintNamesTheRuleAndTheStatement() throws {
        try withDatabase { database throws in
            try database.execute("CREATE TABLE item (name TEXT NOT NULL UNIQUE) STRICT")
            let sql = "INSERT INTO item VALUES (?)"
            try database.run(sql, "secret")
            let error = #expect(throws: DatabaseError.self) { try database.run(sql, "secret") }
            #expect(error?.isConstraint == true)
            #expect(error?.code == 2067)
            #expect(error?.sql == sql)
            #expect(error?.description == "SQLite error 2067: UNIQUE constraint failed: item.name, in: \(sql)")
        }
    }

    @Test func aForeignKeyIsEnforced() throws {
        try withDatabase { database throws in
            try database.execute(
                "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER NOT NULL REFERENCES a)")
            let error = #expect(throws: DatabaseError.self) { try database.run("INSERT INTO b VALUES (?)", 7) }
            #expect(error?.isConstraint == true)
        }
    }

    @Test func aReaderSeesWhatIsCommittedAndCannotWrite() throws {
        try withDatabasePath { path throws in
            let writer = try Connection(path: path, mode: .readWriteCreate)
            defer { writer.close() }
            try writer.useWriteAheadLog()
            try writer.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
            let reader = try Connection(path: path, mode: .readOnly)
            defer { reader.close() }
            try writer.transaction(.immediate) {
                try writer.run("INSERT INTO item VALUES (?)", 1)
                #expect(try reader.number("SELECT count(*) FROM item") == 0)
            }
            #expect(try reader.number("SELECT count(*) FROM item") == 1)
            #expect(try reader.number("PRAGMA query_only") == 1)
            #expect(throws: DatabaseError.self) { try reader.run("DELETE FROM item") }
            #expect(throws: DatabaseError.self) { try reader.execute("CREATE TEMP TABLE t (x)") }
        }
    }

    @Test func aReaderKeepsItsStateForTheLengthOfItsTransaction() throws {
        try withDatabasePath { path throws in
            let writer = try Connection(path: path, mode: .readWriteCreate)
            defer { writer.close() }
            try writer.useWriteAheadLog()
            try writer.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
            let reader = try Connection(path: path, mode: .readOnly)
            defer { reader.close() }
            try reader.transaction(.deferred) {
                #expect(try reader.number("SELECT count(*) FROM item") == 0)
                try writer.run("INSERT INTO item VALUES (?)", 1)
                #expect(try reader.number("SELECT count(*) FROM item") == 0)
            }
            #expect(try reader.number("SELECT count(*) FROM item") == 1)
        }
    }

    @Test func aClosedConnectionRefusesEverything() throws {
        try withDatabase { database throws in
            let statement = try database.prepare("SELECT 1")
            database.close()
            database.close()
            #expect(throws: DatabaseError.self) { try database.execute("SELECT 1") }
            #expect(throws: DatabaseError.self) { try database.number("SELECT 1") }
            #expect(throws: DatabaseError.self) { try statement.run() }
            #expect(database.changes == 0)
            #expect(!database.isInTransaction)
        }
    }
}
