import CSQLite

/// The current row of a query; it lives as long as the call of the closure it is given to, and cannot be kept.
///
/// A getter whose column is NULL or of another type gives an empty value and makes the query throw
/// SQLITE_MISMATCH as soon as the closure returns: no caller ever gets a made-up value.
package struct Row: ~Copyable {
    /// Unmanaged: the statement is running, so it is alive. (A strong reference in a noncopyable struct also
    /// crashes the optimizer of Swift 6.3.1.)
    private let statement: Unmanaged<Statement>
    private let pointer: OpaquePointer

    init(of statement: Statement, _ pointer: OpaquePointer) {
        self.statement = Unmanaged.passUnretained(statement)
        self.pointer = pointer
    }

    package func integer(_ column: Int) -> Int64 {
        expect(SQLITE_INTEGER, in: column) ? sqlite3_column_int64(pointer, Int32(column)) : 0
    }

    package func int(_ column: Int) -> Int { Int(integer(column)) }

    package func bool(_ column: Int) -> Bool { integer(column) != 0 }

    /// A floating point number; an integer is one too, since an expression may yield either.
    package func real(_ column: Int) -> Double {
        let isNumber = type(column) == SQLITE_INTEGER || expect(SQLITE_FLOAT, in: column)
        return isNumber ? sqlite3_column_double(pointer, Int32(column)) : 0
    }

    /// Text, where bytes that are not UTF-8 become U+FFFD: keep names of files as blobs.
    package func text(_ column: Int) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

    /// The UTF-8 of a text without a copy, valid inside `body` only.
    package func withText<T, E>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        guard expect(SQLITE_TEXT, in: column) else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        let start = sqlite3_column_text(pointer, Int32(column))
        return try body(bytes(start, column))
    }

    package func blob(_ column: Int) -> [UInt8] { withBlob(column) { Array($0) } }

    /// The bytes of a blob without a copy, valid inside `body` only.
    package func withBlob<T, E>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> T) throws(E) -> T {
        guard expect(SQLITE_BLOB, in: column) else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        // The order pointer, then length, is the one the manual asks for (https://sqlite.org/c3ref/column_blob.html).
        let start = sqlite3_column_blob(pointer, Int32(column))
        return try body(UnsafeRawBufferPointer(bytes(start, column)))
    }

    package func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    package func integerIfPresent(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
    package func intIfPresent(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
    package func realIfPresent(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }
    package func textIfPresent(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    package func blobIfPresent(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    /// The value as it is stored.
    package func value(_ column: Int) -> Value {
        switch type(column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    private func type(_ column: Int) -> Int32 { sqlite3_column_type(pointer, Int32(column)) }

    private func bytes<Start>(_ start: UnsafePointer<Start>?, _ column: Int) -> UnsafeBufferPointer<Start> {
        UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
    }

    private func bytes(_ start: UnsafeRawPointer?, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
    }

    private func expect(_ wanted: Int32, in column: Int) -> Bool {
        let found = type(column)
        if found != wanted { noteMismatch(column, found: found, wanted: wanted) }
        return found == wanted
    }

    private func noteMismatch(_ column: Int, found: Int32, wanted: Int32) {
        let statement = statement.takeUnretainedValue()
        guard statement.mismatch == nil else { return }
        let name = sqlite3_column_name(pointer, Int32(column)).map { String(cString: $0) } ?? "beyond the last"
        statement.mismatch = DatabaseError(
            code: SQLITE_MISMATCH, message: "column \(column) (\(name)) is \(word(found)), not \(word(wanted))",
            sql: statement.sql)
    }
}

/// The storage class in words (https://sqlite.org/c3ref/c_blob.html).
private func word(_ type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "INTEGER"
    case SQLITE_FLOAT: "REAL"
    case SQLITE_TEXT: "TEXT"
    case SQLITE_BLOB: "BLOB"
    default: "NULL"
    }
}
