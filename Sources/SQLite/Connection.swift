import CSQLite

/// One open database, not Sendable: one owner uses it, on one thread at a time.
///
/// Opened without SQLite's own mutexes (SQLITE_OPEN_NOMUTEX, https://sqlite.org/threadsafe.html).
package final class Connection {
    package enum Mode: Sendable {
        case readWriteCreate
        case readWrite
        /// For readers beside the writer of a write-ahead log; also refuses temporary tables (query_only).
        case readOnly
    }

    /// How long a lock of another connection is waited for, in milliseconds.
    package static let busyTimeout: Int32 = 5000
    /// Statements kept compiled: more than the program has, so that only generated SQL can pass it.
    private static let keptStatements = 256

    package let vfs: String?
    private var pointer: OpaquePointer?
    private var statements: [String: Statement] = [:]

    /// Opens the file with foreign keys on, and with what a damaged or hostile file could use switched off (RULES S10).
    ///
    /// The files are those of the registered sqlite3_vfs named `vfs`; nil is the system's. Errors name the path.
    package init(path: String, mode: Mode, vfs: String? = nil) throws(DatabaseError) {
        self.vfs = vfs
        let code = sqlite3_open_v2(path, &pointer, mode.flags, vfs)
        do {
            try check(code)
            try configure(mode)
        } catch {
            sqlite3_close_v2(pointer)
            pointer = nil
            throw DatabaseError(code: error.code, message: "'\(path)': \(error.message)", sql: error.sql)
        }
    }

    deinit {
        // An owner that lets go without close() cannot be told of an error; nothing is lost by one.
        statements.removeAll()
        sqlite3_close_v2(pointer)
    }

    /// Closes the database and ends its statements; a second call does nothing.
    ///
    /// Never call it from inside a row.
    package func close() {
        guard let open = pointer else { return }
        for statement in statements.values where !statement.isRunning { statement.finalize() }
        statements.removeAll()
        let leaked = sqlite3_next_stmt(open, nil).flatMap { sqlite3_sql($0) }.map { String(cString: $0) }
        assert(leaked == nil, "a statement is still in use at close: \(leaked ?? "")")
        sqlite3_close_v2(open)
        pointer = nil
    }

    /// Runs SQL of one or more statements, without arguments and without rows.
    package func execute(_ sql: String) throws(DatabaseError) {
        let database = try database()
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, on: database, sql: sql) }
    }

    /// The compiled form of `sql`, kept by its text and handed out again.
    ///
    /// Inside the rows of the same statement it is another one, so that a query can be nested in itself.
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        let database = try database()
        if let kept = statements[sql] {
            return kept.isRunning ? try Statement(sql, on: database) : kept
        }
        let statement = try Statement(sql, on: database)
        if statements.count < Self.keptStatements { statements[sql] = statement }
        return statement
    }

    /// The statements kept so far, for a test that asks how SQLite runs them.
    package var preparedStatements: [Statement] { Array(statements.values) }

    /// Rows changed by the last INSERT, UPDATE or DELETE, those of foreign key actions not counted.
    package var changes: Int { pointer.map { Int(sqlite3_changes64($0)) } ?? 0 }

    package var lastInsertRowID: Int64 { pointer.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    package var isInTransaction: Bool { pointer.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// The open database; throws after close.
    func database() throws(DatabaseError) -> OpaquePointer {
        guard let pointer else { throw .misuse("the connection is closed") }
        return pointer
    }

    func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw DatabaseError(code, on: pointer) }
    }

    /// Sets one of SQLite's switches (https://sqlite.org/c3ref/c_dbconfig_defensive.html).
    func configure(_ option: Int32, _ isOn: Bool) throws(DatabaseError) {
        try check(albumd_sqlite_db_config(try database(), option, isOn ? 1 : 0))
    }

    private func configure(_ mode: Mode) throws(DatabaseError) {
        try check(sqlite3_busy_timeout(pointer, Self.busyTimeout))
        try configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        // "name" is a column and never a string, so that a misspelt one is an error.
        try configure(SQLITE_DBCONFIG_DQS_DML, false)
        try configure(SQLITE_DBCONFIG_DQS_DDL, false)
        try execute("PRAGMA cell_size_check = ON")
        if mode == .readOnly {
            try execute("PRAGMA query_only = ON")
            // Of several readers each keeps half a megabyte: the kernel's cache is near (sqlite.org/pragma.html#pragma_cache_size).
            try execute("PRAGMA cache_size = -512")
        }
    }
}

extension Connection.Mode {
    fileprivate var flags: Int32 {
        let always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch self {
        case .readWriteCreate: always | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readWrite: always | SQLITE_OPEN_READWRITE
        case .readOnly: always | SQLITE_OPEN_READONLY
        }
    }
}
