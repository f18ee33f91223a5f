import FoundationEssentials
import SQLite
import Testing

func write(_ text: String, to path: String) throws {
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
}

@Suite struct MaintenanceTests {
    private func fill(_ database: Connection) throws {
        try database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
        try database.transaction(.immediate) {
            let insert = try database.prepare("INSERT INTO item (name) VALUES (?)")
            for number in 1...2000 { try insert.run(.text("item number \(number)")) }
        }
    }

    private func names(_ database: Connection) throws -> [String] {
        try database.all("SELECT name FROM item ORDER BY id") { row in row.text(0) }
    }

    @Test func aBackupOpensAloneAndHoldsTheSameRows() throws {
        try withDatabasePath { path throws in
            let database = try Connection(path: path, mode: .readWriteCreate)
            defer { database.close() }
            try database.useWriteAheadLog()
            try fill(database)
            try database.backup(to: path + ".backup")
            let copy = try Connection(path: path + ".backup", mode: .readWrite)
            defer { copy.close() }
            #expect(try copy.integrityCheck() == [])
            #expect(try names(copy) == names(database))
            #expect(!FileManager.default.fileExists(atPath: path + ".backup-journal"))
        }
    }

    @Test func aBackupToAPlaceThatCannotBeWrittenIsAnError() throws {
        try withDatabase { database throws in
            #expect(throws: DatabaseError.self) { try database.backup(to: "/nowhere/at/all.sqlite") }
        }
    }

    @Test func aCheckpointEmptiesTheLog() throws {
        try withDatabasePath { path throws in
            let database = try Connection(path: path, mode: .readWriteCreate)
            defer { database.close() }
            try database.useWriteAheadLog()
            try fill(database)
            try database.checkpoint()
            let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? UInt64
            #expect(size == 0)
        }
    }

    @Test func aDamagedPageIsFoundByBothChecks() throws {
        try withDatabasePath { path throws in
            let database = try Connection(path: path, mode: .readWriteCreate)
            try fill(database)
            #expect(try database.quickCheck() == [])
            database.close()
            try overwrite(path, at: 3 * 4096, with: Array(repeating: 0xA5, count: 4096))
            let damaged = try Connection(path: path, mode: .readOnly)
            defer { damaged.close() }
            #expect(try damaged.quickCheck() != [])
            #expect(try damaged.integrityCheck() != [])
        }
    }

    private func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
        var content = Array(try #require(FileManager.default.contents(atPath: path)))
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(content)))
    }
}
