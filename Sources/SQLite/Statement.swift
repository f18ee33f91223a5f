import CSQLite

/// One compiled statement, which belongs to the connection that prepared it and ends with it.
///
/// Each use binds all its arguments, steps, and leaves it reset and unbound, also on a throw. To run one many times in a loop, hold it:
/// that saves the look-up of its text.
package final class Statement {
    package let sql: String
    private var pointer: OpaquePointer?
    package let parameterCount: Int32
    private(set) var isRunning = false
    /// The first column of the current row that was not what its reader asked for.
    var mismatch: DatabaseError?

    /// Compiles exactly one statement (https://sqlite.org/c3ref/prepare.html).
    init(_ sql: String, on database: OpaquePointer) throws(DatabaseError) {
        var pointer: OpaquePointer?
        var hasMore = false
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, &tail)
            hasMore = tail.map { !isBlank($0) } ?? false
            return code
        }
        self.sql = sql
        self.pointer = pointer
        parameterCount = sqlite3_bind_parameter_count(pointer)
        guard code == SQLITE_OK else { throw DatabaseError(code, on: database, sql: sql) }
        guard pointer != nil, !hasMore else { throw .misuse("exactly one statement can be prepared", sql: sql) }
    }

    deinit { finalize() }

    /// Frees the compiled form; a later use throws.
    func finalize() {
        sqlite3_finalize(pointer)
        pointer = nil
    }

    /// Runs it to its end; rows it may return are dropped.
    package func run(_ arguments: Value...) throws(DatabaseError) { try run(arguments) }

    package func run(_ arguments: [Value]) throws(DatabaseError) {
        try start(arguments)
        defer { stop() }
        while try step() {}
    }

    /// Calls `body` with each row.
    package func query(_ arguments: [Value], row body: (borrowing Row) throws -> Void) throws {
        try start(arguments)
        defer { stop() }
        while try step() { try read(body) }
    }

    /// What `body` makes of the first row; nil where there is none.
    package func first<T>(_ arguments: [Value], row body: (borrowing Row) throws -> T) throws -> T? {
        try start(arguments)
        defer { stop() }
        return try step() ? read(body) : nil
    }

    /// The first column of each row, as text: what a pragma answers.
    func texts() throws(DatabaseError) -> [String] {
        try start([])
        defer { stop() }
        var result: [String] = []
        while try step() {
            guard let pointer, let text = sqlite3_column_text(pointer, 0) else { continue }
            result.append(String(cString: text))
        }
        return result
    }

    private func read<T>(_ body: (borrowing Row) throws -> T) throws -> T {
        guard let pointer else { throw DatabaseError.misuse("the connection was closed inside a row", sql: sql) }
        let result = try body(Row(of: self, pointer))
        if let mismatch { throw mismatch }
        return result
    }

    private func start(_ arguments: [Value]) throws(DatabaseError) {
        guard let pointer else { throw .misuse("the connection is closed", sql: sql) }
        guard !isRunning else { throw .misuse("the statement is already running", sql: sql) }
        guard arguments.count == Int(parameterCount) else {
            throw .misuse("\(arguments.count) arguments for \(parameterCount) parameters", sql: sql)
        }
        isRunning = true
        for (index, argument) in arguments.enumerated() {
            let code = argument.bind(to: pointer, at: Int32(index + 1))
            guard code == SQLITE_OK else {
                stop()
                throw DatabaseError(code, on: sqlite3_db_handle(pointer), sql: sql)
            }
        }
    }

    private func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, on: sqlite3_db_handle(pointer), sql: sql)
        }
    }

    private func stop() {
        // Reset repeats the error of the last step, which was thrown already.
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        mismatch = nil
        isRunning = false
    }
}

extension Value {
    /// Binds a copy (https://sqlite.org/c3ref/bind_blob.html): 2 GB is SQLite's own limit for one value.
    fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty buffer may have no address, and no address would mean NULL.
                    guard let base = characters.baseAddress else {
                        return sqlite3_bind_text(statement, index, "", 0, copied)
                    }
                    return sqlite3_bind_text64(
                        statement, index, base, UInt64(characters.count), copied, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let value) where value.isEmpty: return sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let value):
            return value.withUnsafeBytes { bytes in
                sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), copied)
            }
        }
    }
}

/// SQLITE_TRANSIENT, a macro that Swift cannot import: SQLite copies the bytes before bind returns.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// Whether nothing but space and semicolons follows.
private func isBlank(_ text: UnsafePointer<CChar>) -> Bool {
    let separators: Set<Character> = [" ", "\n", "\t", "\r", "\r\n", ";"]
    return String(cString: text).allSatisfy(separators.contains)
}
