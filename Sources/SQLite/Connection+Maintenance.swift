import CSQLite

/// Durability, copies and health.
extension Connection {
    /// Switches to the write-ahead log with every commit synced (RULES R6, https://sqlite.org/wal.html).
    package func useWriteAheadLog() throws(DatabaseError) {
        let sql = "PRAGMA journal_mode = WAL"
        guard let mode = try prepare(sql).texts().first, mode == "wal" else {
            throw .misuse("this database cannot have a write-ahead log", sql: sql)
        }
        try execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA journal_size_limit = 16777216;
            PRAGMA wal_autocheckpoint = 1000
            """)
    }

    /// Moves the whole log into the database file and empties it; throws `isBusy` while a reader holds it back.
    package func checkpoint() throws(DatabaseError) {
        try check(sqlite3_wal_checkpoint_v2(database(), nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    /// Copies the database as it is now into `path`, in the same VFS, durably (https://sqlite.org/backup.html).
    ///
    /// Give it a name where nothing stands, with no `-wal` or `-journal` beside it. After a crash the copy may be
    /// empty: whoever must know renames it when this has returned. It has no write-ahead log.
    package func backup(to path: String) throws(DatabaseError) {
        let copy = try Connection(path: path, mode: .readWriteCreate, vfs: vfs)
        defer { copy.close() }
        // FULL leaves the removal of the copy's journal unsynced: after a power cut it would empty the copy again
        // (https://sqlite.org/pragma.html#pragma_synchronous).
        try copy.execute("PRAGMA synchronous = EXTRA")
        let target = try copy.database()
        guard let backup = sqlite3_backup_init(target, "main", try database(), "main") else {
            throw DatabaseError(sqlite3_extended_errcode(target), on: target)
        }
        let step = sqlite3_backup_step(backup, -1)
        let finish = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE else { throw DatabaseError(step, on: finish == SQLITE_OK ? nil : target) }
        try copy.check(finish)
        copy.close()
        try Connection(path: path, mode: .readWrite, vfs: vfs).useRollbackJournal()
    }

    /// Makes the database one file, without a log beside it, every commit synced and the end of each transaction, too.
    ///
    /// A copy that says so of itself is told from a database whose log lies beside it.
    package func useRollbackJournal() throws(DatabaseError) {
        try execute("PRAGMA synchronous = EXTRA")
        // Until something is read, it is not known to SQLite that the file has a log.
        try execute("SELECT count(*) FROM sqlite_schema")
        let sql = "PRAGMA journal_mode = DELETE"
        guard let mode = try prepare(sql).texts().first, mode == "delete" else {
            throw .misuse("this database cannot do without a write-ahead log", sql: sql)
        }
    }

    /// Whether closing leaves the log and the database file as they are, or writes the one into the other.
    package func keepLogOnClose(_ isKept: Bool) throws(DatabaseError) {
        try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isKept)
    }

    /// Gives back what is cached: for the end of work that read everything (sqlite.org/pragma.html#pragma_shrink_memory).
    package func releaseCache() throws(DatabaseError) { try execute("PRAGMA shrink_memory") }

    /// What is wrong with the file, index contents not compared; empty when nothing is.
    package func quickCheck() throws(DatabaseError) -> [String] { try problems("PRAGMA quick_check") }

    /// What is wrong with the file, indexes included: slow; empty when nothing is.
    package func integrityCheck() throws(DatabaseError) -> [String] { try problems("PRAGMA integrity_check") }

    /// Rows that name a row which is not there, a hundred at most: SQLite looks when it writes, and never again.
    ///
    /// https://sqlite.org/pragma.html#pragma_foreign_key_check
    package func danglingReferences() throws -> [String] {
        try all(#"SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT 100"#) { row in
            let place = row.integerIfPresent(1).map { "row \($0)" } ?? "a row"
            return "\(place) of \(row.text(0)) names a row of \(row.text(2)) that is not there"
        }
    }

    /// For a file that nobody misses: nothing of it is synced, and a crash leaves what is no database.
    package func giveUpDurability() throws(DatabaseError) {
        try execute(
            """
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -16384
            """)
        let sql = "PRAGMA journal_mode = MEMORY"
        guard try prepare(sql).texts().first == "memory" else {
            throw .misuse("this database cannot keep its journal in memory", sql: sql)
        }
    }

    /// Puts another file beside this one, as `name`, opened as this one is (https://sqlite.org/lang_attach.html).
    package func attach(_ path: String, as name: String) throws(DatabaseError) {
        try run("ATTACH DATABASE ? AS \(name)", .text(path))
    }

    /// What ends a statement that runs here, from another thread.
    package struct Interrupt: Sendable {
        // The one function that may be called beside the owner (https://sqlite.org/c3ref/interrupt.html).
        nonisolated(unsafe) fileprivate let database: OpaquePointer

        /// Only while the connection is open.
        package func send() { sqlite3_interrupt(database) }
    }

    package func interrupt() throws(DatabaseError) -> Interrupt { Interrupt(database: try database()) }

    private func problems(_ pragma: String) throws(DatabaseError) -> [String] {
        do throws(DatabaseError) {
            let lines = try prepare(pragma).texts()
            return lines == ["ok"] ? [] : lines
        } catch {
            // Damage can be too bad for the check itself.
            guard error.isCorrupt else { throw error }
            return [error.message]
        }
    }
}
