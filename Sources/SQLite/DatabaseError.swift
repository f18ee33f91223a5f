import CSQLite
import Glibc

/// What SQLite refused, or failed to do: the extended result code, its sentence, and the SQL.
///
/// Bound values are never part of it. Codes: https://sqlite.org/rescode.html
package struct DatabaseError: Error, Sendable, Equatable {
    /// The extended result code, such as SQLITE_CONSTRAINT_UNIQUE.
    package var code: Int32
    package var message: String
    /// The statement that failed; nil where none was running.
    package var sql: String?
    /// The errno of a failed write, 0 where it is not known.
    package var systemError: Int32

    package init(code: Int32, message: String, sql: String? = nil, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    /// The low byte of `code`, such as SQLITE_CONSTRAINT.
    package var primaryCode: Int32 { code & 0xFF }

    /// The disk failed (SQLITE_IOERR_*): close the connection, never try again (RULES R10).
    package var isIOError: Bool { primaryCode == SQLITE_IOERR && !isFull && !isReadOnly }
    /// The file system takes no writes (RULES R12): nothing was written.
    package var isReadOnly: Bool {
        primaryCode == SQLITE_READONLY && !isMoved || code == DatabaseError.failedWrite && systemError == EROFS
    }
    /// Another file, or none, has the name of the one that is open (SQLITE_READONLY_DBMOVED): no waiting mends that.
    private var isMoved: Bool { code == SQLITE_READONLY | 4 << 8 }
    /// No room on the disk, or for this user or file on it (RULES R11); the transaction was rolled back.
    ///
    /// SQLite knows ENOSPC alone as a full disk, and takes the others for a failed write.
    package var isFull: Bool {
        primaryCode == SQLITE_FULL || code == DatabaseError.noSharedMemory
            || code == DatabaseError.failedWrite && [EDQUOT, EFBIG].contains(systemError)
    }
    /// SQLITE_IOERR_SHMSIZE: the index of the log beside the catalogue could not be made as long as it must be.
    private static let noSharedMemory = SQLITE_IOERR | 19 << 8
    /// SQLITE_IOERR_WRITE, a macro that Swift does not see.
    private static let failedWrite = SQLITE_IOERR | 3 << 8
    /// The database, or a file beside it, could not be opened: it is away, or no descriptor is free.
    package var isUnopened: Bool { primaryCode == SQLITE_CANTOPEN }
    /// Another connection held its lock for longer than the busy timeout: may be tried again.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    /// The file is damaged, or is no database (RULES R49).
    package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
    /// The disk failed under the catalogue, or it is damaged or gone: only a new start can judge (RULES R10, R49).
    package var needsNewStart: Bool { isIOError || isCorrupt || isMoved }
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
        self.init(
            code: code, message: text.map { String(cString: $0) } ?? "unknown", sql: sql,
            systemError: code == DatabaseError.failedWrite ? DatabaseError.lastErrno(of: database) : 0)
    }

    /// What the log's last failed call left: sqlite3_system_errno is overwritten by the calls of the rollback.
    ///
    /// https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, JOURNAL_POINTER and LAST_ERRNO.
    private static func lastErrno(of database: OpaquePointer?) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var code: Int32 = 0
        guard sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file,
            file.pointee.pMethods?.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK
        else { return 0 }
        return code
    }

    /// What a check found, as if SQLite had met it.
    package static func corrupt(_ finding: String) -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: finding)
    }

    static func misuse(_ message: String, sql: String? = nil) -> DatabaseError {
        DatabaseError(code: SQLITE_MISUSE, message: message, sql: sql)
    }
}
