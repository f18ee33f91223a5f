import SQLite
import Testing

@Suite struct MigratorTests {
    private static let identifier: Int32 = 0x616C_6264
    private static let first = Migration(
        version: 1, name: "albums",
        sql: """
            CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;
            CREATE TABLE asset (id INTEGER PRIMARY KEY, album INTEGER NOT NULL REFERENCES album) STRICT;
            """)
    /// Rebuilds the parent table, which is possible only with foreign keys off.
    private static let second = Migration(
        version: 2, name: "titles may be missing",
        sql: """
            CREATE TABLE new_album (id INTEGER PRIMARY KEY, title TEXT) STRICT;
            INSERT INTO new_album SELECT id, title FROM album;
            DROP TABLE album;
            ALTER TABLE new_album RENAME TO album;
            """)
    private let old = Migrator(applicationID: identifier, migrations: [first])
    private let new = Migrator(applicationID: identifier, migrations: [first, second])

    @Test func aNewDatabaseGetsTheNewestSchemaAndNoBackup() throws {
        try withDatabase { database throws in
            try new.migrate(database) { _ in Issue.record("there is nothing to back up") }
            #expect(try database.number("PRAGMA user_version") == 2)
            #expect(try database.number("PRAGMA application_id") == Int(Self.identifier))
            #expect(try database.number("PRAGMA foreign_keys") == 1)
        }
    }

    @Test func anOldDatabaseIsBackedUpOnceAndKeepsItsRows() throws {
        try withDatabase { database throws in
            try old.migrate(database) { _ in }
            try database.run("INSERT INTO album VALUES (1, ?)", "Alps")
            try database.run("INSERT INTO asset VALUES (10, 1)")
            var versionsBackedUp: [Int?] = []
            try new.migrate(database) { versionsBackedUp.append(try $0.number("PRAGMA user_version")) }
            #expect(versionsBackedUp == [1])
            #expect(try database.first("SELECT title FROM album") { row in row.text(0) } == "Alps")
            #expect(try database.number("SELECT album FROM asset") == 1)
            #expect(try database.number("PRAGMA foreign_keys") == 1)
            try new.migrate(database) { _ in Issue.record("nothing is missing any more") }
        }
    }

    @Test func aFailedBackupStopsTheMigration() throws {
        struct NoRoom: Error {}
        try withDatabase { database throws in
            try old.migrate(database) { _ in }
            #expect(throws: NoRoom.self) { try new.migrate(database) { _ in throw NoRoom() } }
            #expect(try database.number("PRAGMA user_version") == 1)
        }
    }

    @Test func aNewerDatabaseIsRefused() throws {
        try withDatabase { database throws in
            try new.migrate(database) { _ in }
            #expect(throws: MigrationError.newerDatabase(found: 2, supported: 1)) {
                try old.migrate(database) { _ in Issue.record("a refused file is not backed up") }
            }
        }
    }

    @Test(arguments: [0, 4711])
    func aDatabaseOfAnotherProgramIsRefused(_ found: Int32) throws {
        try withDatabase { database throws in
            try database.execute("CREATE TABLE theirs (x); PRAGMA application_id = \(found)")
            #expect(throws: MigrationError.otherApplication(found: found, expected: Self.identifier)) {
                try new.migrate(database) { _ in Issue.record("a refused file is not backed up") }
            }
            #expect(try database.number("PRAGMA user_version") == 0)
        }
    }

    @Test func aMigrationThatBreaksReferencesIsUndone() throws {
        let broken = Migration(version: 2, name: "lose albums", sql: "DELETE FROM album")
        let migrator = Migrator(applicationID: Self.identifier, migrations: [Self.first, broken])
        try withDatabase { database throws in
            try old.migrate(database) { _ in }
            try database.execute("INSERT INTO album VALUES (1, 'Alps'); INSERT INTO asset VALUES (10, 1)")
            #expect(throws: MigrationError.danglingReferences(migration: "lose albums", tables: ["asset"])) {
                try migrator.migrate(database) { _ in }
            }
            #expect(try database.number("PRAGMA user_version") == 1)
            #expect(try database.number("SELECT count(*) FROM album") == 1)
            #expect(try database.number("PRAGMA foreign_keys") == 1)
        }
    }

    @Test func aMigrationThatFailsKeepsTheOnesBeforeIt() throws {
        let failing = Migration(version: 2, name: "fails") { database in
            try database.execute("CREATE TABLE half (x)")
            try database.execute("SELEKT")
        }
        let migrator = Migrator(applicationID: Self.identifier, migrations: [Self.first, failing])
        try withDatabase { database throws in
            #expect(throws: DatabaseError.self) { try migrator.migrate(database) { _ in } }
            #expect(try database.number("PRAGMA user_version") == 1)
            #expect(try database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0)
        }
    }
}
