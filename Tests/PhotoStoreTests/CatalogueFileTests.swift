import FoundationEssentials
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// The settings of the catalogue's file, and what is done before its format is changed (RULES R6, R49, CASES S01).
@Suite struct CatalogueFileTests {
    private func pragma(_ name: String, _ connection: Connection) throws -> Value? {
        try connection.first("PRAGMA \(name)") { $0.value(0) }
    }

    @Test func everyCommitOfAnOpenLibraryIsSynced() throws {
        try withScratchFolder { scratch in
            let library = try RealLibrary(in: scratch).open()
            try library.inside { library throws in
                let settings: [(name: String, value: Value)] = [
                    ("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("trusted_schema", 0),
                    ("cell_size_check", 1), ("busy_timeout", 5000), ("journal_size_limit", 16_777_216),
                    ("wal_autocheckpoint", 1000),
                ]
                for (name, value) in settings {
                    let found = try pragma(name, library.catalogue.connection)
                    #expect(found == value, "\(name)")
                }
                library.close()
            }
        }
    }

    @Test func theFileSaysWhoseItIsAndIsSound() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try home.make()
            try home.withCatalogue { connection throws in
                #expect(try pragma("application_id", connection) == 0x616C_6264)
                #expect(try pragma("user_version", connection) == 4)
                #expect(try connection.integrityCheck() == [])
                #expect(try connection.all("SELECT * FROM pragma_foreign_key_check") { $0.text(0) } == [])
            }
        }
    }

    /// A catalogue of format 0, which was never shipped, stands for every older one.
    @Test func aMigrationMakesABackupFirst() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            let library = try home.open()
            library.onThread { $0.close() }
            try home.withCatalogue { connection throws in
                for table in try connection.all(
                    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                    row: { $0.text(0) }
                ).reversed() {
                    try connection.execute("DROP TABLE \(table)")
                }
                try connection.execute("CREATE TABLE old (x INTEGER) STRICT; INSERT INTO old VALUES (7)")
                try connection.execute("PRAGMA user_version = 0")
            }
            let migrated = try home.open()
            migrated.onThread { $0.close() }
            let snapshots = try home.inventory().filter { $0.hasPrefix("snapshots/c") }
            #expect(snapshots.count == 1)
            let name = try #require(snapshots.first?.split(separator: " ").first)
            #expect(name == "snapshots/catalogue-before-migration-20231114T221320000000.sqlite")
            let backup = try Connection(path: "\(home.path)/\(name)", mode: .readWrite)
            #expect(try backup.first("SELECT x FROM old") { $0.integer(0) } == 7)
            backup.close()
        }
    }

    @Test func aBackupThatFailsKeepsTheMigrationAway() throws {
        try withSimulatedLibrary { home in
            let path = "/old.sqlite"
            let old = try Connection(path: path, mode: .readWriteCreate, vfs: home.disk.name)
            try old.execute("CREATE TABLE old (x INTEGER) STRICT; PRAGMA application_id = \(Catalogue.applicationID)")
            old.close()
            struct NoRoom: Error {}
            let catalogue = try Catalogue.openForWriting(at: path, vfs: home.disk.name)
            defer { catalogue.close() }
            #expect(throws: NoRoom.self) { try catalogue.bringUpToDate { _ in throw NoRoom() } }
            #expect(try pragma("user_version", catalogue.connection) == 0)
        }
    }
}
