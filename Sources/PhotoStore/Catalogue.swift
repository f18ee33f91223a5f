import FoundationEssentials
import PhotoModel
package import SQLite

/// The library's tables over one connection.
///
/// Not shared: whoever opened it owns it.
///
/// Reading is here and in `Catalogue+*.swift`; the only writer is `Catalogue+Apply.swift`, called by a change.
package struct Catalogue {
    let connection: Connection
    let memo: CountMemo?

    package init(_ connection: Connection) { (self.connection, memo) = (connection, nil) }

    private init(reader connection: Connection) { (self.connection, memo) = (connection, CountMemo()) }

    /// Opens for writing.
    ///
    /// Nothing of the file is trusted or changed before it was checked: see `bringUpToDate`.
    package static func openForWriting(at path: String, vfs: String? = nil) throws(DatabaseError) -> Catalogue {
        Catalogue(try Connection(path: path, mode: .readWriteCreate, vfs: vfs))
    }

    /// Opens for reading beside the writer (sqlite.org/wal.html).
    package static func openForReading(at path: String, vfs: String? = nil) throws(DatabaseError) -> Catalogue {
        Catalogue(reader: try Connection(path: path, mode: .readOnly, vfs: vfs))
    }

    /// Brings the tables up to this version; `backup` is called first where there is anything to lose.
    ///
    /// Throws `MigrationError` for a file that is not ours or is newer, and that file is as it was.
    package func bringUpToDate(backup: (Connection) throws -> Void) throws {
        try migrate(backup: backup)
        try connection.useWriteAheadLog()
    }

    func migrate(backup: (Connection) throws -> Void) throws {
        let migrator = Migrator(applicationID: Catalogue.applicationID, migrations: Catalogue.migrations)
        try migrator.migrate(connection, backup: backup)
    }

    /// What the file format says of itself, for the start and the tests: empty is sound.
    package func quickCheck() throws -> [String] { try connection.quickCheck() }

    /// Runs `body`, which reads more than once, on one state of the catalogue; it locks once, too.
    package func reading<Value>(_ body: () throws -> Value) throws -> Value {
        try connection.transaction(.deferred, body)
    }

    /// Gives back what is cached of the file, for a time of rest.
    package func releaseCache() throws(DatabaseError) { try connection.releaseCache() }

    package func close() { connection.close() }
}

extension UUID {
    /// The 16 bytes, as the catalogue stores them.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
        self.init(uuid: value)
    }
}
