import CSQLite

/// Brings a database to the newest schema, one migration and one transaction at a time (RULES R49).
package struct Migrator: Sendable {
    private let applicationID: Int32
    private let migrations: [Migration]

    /// The application id marks the file as ours (https://sqlite.org/pragma.html#pragma_application_id); it is not 0.
    package init(applicationID: Int32, migrations: [Migration]) {
        let versions = migrations.map(\.version)
        precondition(applicationID != 0, "0 is the application id of files that nobody has marked")
        precondition(zip([0] + versions, versions).allSatisfy(<), "migrations must be in the order of their versions")
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// The `user_version` that this program writes.
    package var supportedVersion: Int { migrations.last?.version ?? 0 }

    /// Applies what is missing.
    ///
    /// A new, empty database is marked as ours; every other is first given to `backup`. Throws `MigrationError` for a file that must not be touched, and what `backup` or a migration throws. The
    /// migrations before the one that failed stay applied.
    package func migrate(_ connection: Connection, backup: (Connection) throws -> Void) throws {
        let version = try connection.pragmaInteger("PRAGMA user_version")
        let isNew = try isNew(connection)
        if !isNew { try refuseForeign(connection) }
        guard version <= supportedVersion else {
            throw MigrationError.newerDatabase(found: version, supported: supportedVersion)
        }
        let missing = migrations.filter { $0.version > version }
        guard !missing.isEmpty else { return }
        if !isNew { try backup(connection) }
        for migration in missing { try apply(migration, to: connection) }
    }

    private func isNew(_ connection: Connection) throws -> Bool {
        let sql = "SELECT (SELECT count(*) FROM sqlite_schema) + (SELECT application_id FROM pragma_application_id)"
        return try connection.pragmaInteger(sql) == 0
    }

    private func refuseForeign(_ connection: Connection) throws {
        let found = try connection.pragmaInteger("PRAGMA application_id")
        guard found == Int(applicationID) else {
            throw MigrationError.otherApplication(found: Int32(truncatingIfNeeded: found), expected: applicationID)
        }
    }

    /// In the order of https://sqlite.org/lang_altertable.html#otheralter: foreign keys off (step 1, which has
    /// no effect inside a transaction), the transaction (2), the change (3-9), the check (10), commit (11), on (12).
    private func apply(_ migration: Migration, to connection: Connection) throws {
        try connection.configure(SQLITE_DBCONFIG_ENABLE_FKEY, false)
        let result = Result {
            try connection.transaction(.immediate) {
                try migration.apply(connection)
                try checkForeignKeys(connection, after: migration)
                try connection.execute("PRAGMA application_id = \(applicationID)")
                try connection.execute("PRAGMA user_version = \(migration.version)")
            }
        }
        try connection.configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        try result.get()
    }

    private func checkForeignKeys(_ connection: Connection, after migration: Migration) throws {
        let tables = try connection.all("PRAGMA foreign_key_check") { row in row.text(0) }
        guard tables.isEmpty else {
            throw MigrationError.danglingReferences(migration: migration.name, tables: Set(tables).sorted())
        }
    }
}

extension Connection {
    fileprivate func pragmaInteger(_ sql: String) throws -> Int {
        try first(sql) { row in row.int(0) } ?? 0
    }
}
