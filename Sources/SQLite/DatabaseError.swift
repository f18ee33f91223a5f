import CSQLite

/// What SQLite refused, or failed to do: the extended result code, its sentence, and the SQL.
///
/// Bound values are never part of it. Codes: https://sqlite.org/rescode.html
package struct DatabaseError: Error, Sendable, Equatable {
    /// The extended result code, such as SQLITE_CONSTRAINT_UNIQUE.
    package var code: Int32
    package var message: String
    /// The statement that failed; nil where none was running.
    package var sql: String?

    package init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The low byte of `code`, such as SQLITE_CONSTRAINT.
    package var primaryCode: Int32 { code & 0xFF }

    /// The disk failed (SQLITE_IOERR_*): close the connection, never try again (RULES R10).
    package var isIOError: Bool { primaryCode == SQLITE_IOERR }
    /// No room on the disk; the transaction was rolled back.
    package var isFull: Bool { primaryCode == SQLITE_FULL }
    /// Another connection held its lock for longer than the busy timeout: may be tried again.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    /// The file is damaged, or is no database (RULES R49).
    package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
    /// A rule of the schema forbids the row; the statement alone was undone.
    package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
    /// A mistake of the caller: wrong argument count, nested transaction, closed connection.
    package var isMisuse: Bool { primaryCode == SQLITE_MISUSE }
}

extension DatabaseError: CustomStringConvertible {
    package var description: String {
        let statement = sql.map { ", in: \($0.prefix(200))" } ?? ""
        return "SQLite error \(code): \(message)\(statement)"
    }
}

extension DatabaseError {
    /// The error that `database` reports for its last call; read it before the statement is reset.
    init(_ code: Int32, on database: OpaquePointer?, sql: String? = nil) {
        // Without a connection errmsg says "out of memory", whatever the code.
        let text = database == nil ? sqlite3_errstr(code) : sqlite3_errmsg(database)
        self.init(code: code, message: text.map { String(cString: $0) } ?? "unknown", sql: sql)
    }

    static func misuse(_ message: String, sql: String? = nil) -> DatabaseError {
        DatabaseError(code: SQLITE_MISUSE, message: message, sql: sql)
    }
}
