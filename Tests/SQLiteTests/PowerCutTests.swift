import SQLite
import TestSupport
import Testing

/// The catalogue's settings against a disk that loses what was not synced.
@Suite struct PowerCutTests {
    private let path = "/catalogue.sqlite"

    private func withDisk(_ name: String = #function, _ body: (SimulatedVFS) throws -> Void) throws {
        let disk = SimulatedVFS(name: name)
        defer { disk.remove() }
        try body(disk)
    }

    private func open(_ disk: SimulatedVFS, settings: String = "") throws -> Connection {
        let database = try Connection(path: path, mode: .readWriteCreate, vfs: disk.name)
        try database.useWriteAheadLog()
        try database.execute("CREATE TABLE IF NOT EXISTS item (batch INTEGER NOT NULL, content BLOB NOT NULL) STRICT")
        try database.execute(settings)
        return database
    }

    /// One batch is three rows that are all there or all missing.
    private func insert(_ batch: Int, into database: Connection) throws {
        try database.transaction(.immediate) {
            for row in 1...3 {
                let content = Array(repeating: UInt8(batch), count: 500 * row)
                try database.run("INSERT INTO item VALUES (?, ?)", Value(batch), .blob(content))
            }
        }
    }

    private func batches(_ database: Connection) throws -> [Int] {
        let rows = try database.all("SELECT batch, count(*) FROM item GROUP BY batch ORDER BY batch") { row in
            (batch: row.int(0), count: row.int(1))
        }
        #expect(rows.allSatisfy { $0.count == 3 }, "a batch is whole")
        return rows.map(\.batch)
    }

    @Test(arguments: [nil, 1, 2, 3])
    func whatWasCommittedSurvivesAndAnOpenTransactionDoesNot(_ seed: UInt64?) throws {
        try withDisk("survives \(seed ?? 0)") { disk throws in
            let database = try open(disk)
            try insert(1, into: database)
            try database.execute("BEGIN IMMEDIATE")
            try database.run("INSERT INTO item VALUES (2, x'00')")
            disk.cutPower(seed: seed)
            database.close()
            let recovered = try open(disk)
            defer { recovered.close() }
            #expect(try batches(recovered) == [1])
            #expect(try recovered.integrityCheck() == [])
        }
    }

    /// Commits until the disk stops, and says how many commits returned.
    private func work(_ database: Connection) -> Int {
        var committed = 0
        do {
            for batch in 1...6 {
                try insert(batch, into: database)
                committed = batch
                if batch.isMultiple(of: 3) { try database.checkpoint() }
            }
        } catch {
            #expect((error as? DatabaseError)?.isIOError == true, "\(error)")
        }
        return committed
    }

    @Test func atEveryChangeOfTheDiskAPowerCutLeavesWhatWasCommitted() throws {
        var operations = 0
        var hasStopped = true
        while hasStopped {
            try withDisk("every change") { disk throws in
                let database = try open(disk, settings: "PRAGMA wal_autocheckpoint = 5")
                disk.stop(after: operations)
                let committed = work(database)
                hasStopped = disk.hasStopped
                disk.cutPower(seed: UInt64(operations))
                database.close()
                let recovered = try open(disk)
                defer { recovered.close() }
                let found = try batches(recovered)
                #expect(found == Array(1...6).prefix(found.count).map { $0 }, "seed \(operations)")
                // The commit under way may have become durable before the disk stopped.
                #expect(committed...committed + 1 ~= found.count, "seed \(operations)")
                #expect(try recovered.integrityCheck() == [], "seed \(operations)")
            }
            operations += 1
        }
        #expect(operations > 40)
    }

    @Test func withoutSyncTheLastCommitIsLost() throws {
        try withDisk { disk throws in
            let database = try open(disk, settings: "PRAGMA synchronous = NORMAL")
            try insert(1, into: database)
            disk.cutPower()
            database.close()
            let recovered = try open(disk)
            defer { recovered.close() }
            #expect(try batches(recovered) == [], "else this disk would prove nothing")
        }
    }

    @Test func aCommitSyncsTheLogOnce() throws {
        try withDisk { disk throws in
            let database = try open(disk)
            defer { database.close() }
            try insert(1, into: database)
            let before = disk.syncCount
            try insert(2, into: database)
            #expect(disk.syncCount == before + 1)
        }
    }

    @Test func aDiskThatFailsIsAnIOError() throws {
        try withDisk { disk throws in
            let database = try open(disk)
            disk.stop(after: 0)
            let error = #expect(throws: DatabaseError.self) { try insert(1, into: database) }
            #expect(error?.isIOError == true)
            disk.cutPower()
            database.close()
        }
    }

    @Test func aFullDiskRollsBackAndStaysUsable() throws {
        try withDisk { disk throws in
            let database = try open(disk)
            defer { database.close() }
            try insert(1, into: database)
            disk.limit(bytes: 0)
            let error = #expect(throws: DatabaseError.self) { try insert(2, into: database) }
            #expect(error?.isFull == true)
            #expect(!database.isInTransaction)
            disk.limit(bytes: nil)
            try insert(3, into: database)
            #expect(try batches(database) == [1, 3])
        }
    }

    @Test func aReaderWorksBesideTheWriterOnTheSimulatedDisk() throws {
        try withDisk { disk throws in
            let writer = try open(disk)
            defer { writer.close() }
            let reader = try Connection(path: path, mode: .readOnly, vfs: disk.name)
            defer { reader.close() }
            try reader.transaction(.deferred) {
                #expect(try batches(reader) == [])
                try insert(1, into: writer)
                #expect(try batches(reader) == [])
                let error = #expect(throws: DatabaseError.self) { try writer.checkpoint() }
                #expect(error?.isBusy == true)
            }
            #expect(try batches(reader) == [1])
        }
    }

    @Test func aSecondWriterIsKeptOutOnTheSimulatedDisk() throws {
        try withDisk { disk throws in
            let first = try open(disk)
            defer { first.close() }
            let second = try open(disk)
            defer { second.close() }
            try first.transaction(.immediate) {
                let error = #expect(throws: DatabaseError.self) { try insert(1, into: second) }
                #expect(error?.isBusy == true)
            }
            try insert(2, into: second)
            #expect(try batches(first) == [2])
        }
    }

    @Test func aFinishedBackupSurvivesAPowerCut() throws {
        try withDisk { disk throws in
            let database = try open(disk)
            try insert(1, into: database)
            try database.backup(to: "/backup.sqlite")
            disk.cutPower()
            database.close()
            let copy = try Connection(path: "/backup.sqlite", mode: .readWrite, vfs: disk.name)
            defer { copy.close() }
            #expect(try batches(copy) == [1])
            #expect(try copy.integrityCheck() == [])
        }
    }

    @Test func theSameSeedLeavesTheSameFile() throws {
        var outcomes: [Int?] = []
        for _ in 1...2 {
            try withDisk { disk throws in
                let database = try open(disk, settings: "PRAGMA synchronous = OFF")
                for batch in 1...5 { try insert(batch, into: database) }
                disk.cutPower(seed: 42)
                database.close()
                outcomes.append(disk.contents(of: path + "-wal")?.count)
            }
        }
        #expect(outcomes[0] == outcomes[1])
    }
}
