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

    package init(_ connection: Connection) { self.connection = connection }

    /// Opens for writing and brings the tables up to this version; `backup` is called first where there is anything to lose.
    package static func openForWriting(
        at path: String, vfs: String? = nil, backup: (Connection) throws -> Void
    ) throws -> Catalogue {
        let connection = try Connection(path: path, mode: .readWriteCreate, vfs: vfs)
        try connection.useWriteAheadLog()
        let migrator = Migrator(applicationID: applicationID, migrations: migrations)
        try migrator.migrate(connection, backup: backup)
        return Catalogue(connection)
    }

    /// Opens for reading beside the writer (sqlite.org/wal.html).
    package static func openForReading(at path: String) throws -> Catalogue {
        Catalogue(try Connection(path: path, mode: .readOnly))
    }

    /// The token of the newest change; 0 before the first.
    package func lastToken() throws -> Int64 {
        try connection.first("SELECT coalesce(max(token), 0) FROM history") { $0.integer(0) } ?? 0
    }

    /// What the file format says of itself, for `albumctl verify` and the tests: empty is sound.
    package func quickCheck() throws -> [String] { try connection.quickCheck() }

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
