import SQLite
import Testing

@Suite struct TransactionTests {
    private struct Stop: Error {}

    private func withItems(_ body: (Connection) throws -> Void) throws {
        try withDatabase { database throws in
            try database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT")
            try body(database)
        }
    }

    @Test func aThrowRollsEverythingBack() throws {
        try withItems { database throws in
            #expect(throws: Stop.self) {
                try database.transaction(.immediate) {
                    try database.run("INSERT INTO item VALUES (?)", 1)
                    throw Stop()
                }
            }
            #expect(!database.isInTransaction)
            #expect(try database.number("SELECT count(*) FROM item") == 0)
        }
    }

    @Test func theResultIsHandedOutAfterTheCommit() throws {
        try withItems { database throws in
            let row = try database.transaction(.immediate) {
                try database.run("INSERT INTO item VALUES (?)", 5)
                return database.lastInsertRowID
            }
            #expect(row == 5)
            #expect(!database.isInTransaction)
            #expect(try database.number("SELECT count(*) FROM item") == 1)
        }
    }

    @Test func aNestedTransactionIsRefused() throws {
        try withItems { database throws in
            try database.transaction(.immediate) {
                try database.run("INSERT INTO item VALUES (?)", 1)
                let error = #expect(throws: DatabaseError.self) { try database.transaction(.deferred) {} }
                #expect(error?.message == "a transaction is already open")
                #expect(database.isInTransaction)
            }
            #expect(try database.number("SELECT count(*) FROM item") == 1)
        }
    }

    @Test func aThrowInsideARowInsideATransactionRollsBack() throws {
        try withItems { database throws in
            #expect(throws: Stop.self) {
                try database.transaction(.immediate) {
                    try database.run("INSERT INTO item VALUES (1), (2)")
                    try database.query("SELECT id FROM item") { _ in throw Stop() }
                }
            }
            #expect(try database.number("SELECT count(*) FROM item") == 0)
        }
    }

    @Test func aCommitThatCannotBeMadeIsThrownAndRolledBack() throws {
        try withItems { database throws in
            try database.execute(
                "CREATE TABLE child (item INTEGER REFERENCES item DEFERRABLE INITIALLY DEFERRED) STRICT")
            let error = #expect(throws: DatabaseError.self) {
                try database.transaction(.immediate) { try database.run("INSERT INTO child VALUES (?)", 9) }
            }
            #expect(error?.isConstraint == true)
            #expect(error?.sql == "COMMIT")
            #expect(!database.isInTransaction)
            #expect(try database.number("SELECT count(*) FROM child") == 0)
        }
    }

    @Test func aSecondWriterIsToldThatTheDatabaseIsBusy() throws {
        try withDatabasePath { path throws in
            let first = try Connection(path: path, mode: .readWriteCreate)
            defer { first.close() }
            try first.useWriteAheadLog()
            let second = try Connection(path: path, mode: .readWrite)
            defer { second.close() }
            try second.execute("PRAGMA busy_timeout = 0")
            try first.transaction(.immediate) {
                let error = #expect(throws: DatabaseError.self) { try second.transaction(.immediate) {} }
                #expect(error?.isBusy == true)
            }
            try second.transaction(.immediate) {}
        }
    }
}
