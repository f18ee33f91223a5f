import FoundationEssentials
import Glibc
import SQLite
import Testing

/// Calls `body` with the path of a new database file in a folder of its own, which is removed afterwards.
func withDatabasePath(_ body: (String) throws -> Void) throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/albumd-sqlite-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let folder = String(cString: try #require(made))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body("\(folder)/test.sqlite")
}

/// The same with the database open, in write-ahead log mode as the daemon has it.
func withDatabase(_ body: (Connection) throws -> Void) throws {
    try withDatabasePath { path in
        let connection = try Connection(path: path, mode: .readWriteCreate)
        defer { connection.close() }
        try connection.useWriteAheadLog()
        try body(connection)
    }
}

extension Connection {
    /// A pragma's answer, or any single number.
    func number(_ sql: String) throws -> Int? { try first(sql) { row in row.int(0) } }
}
