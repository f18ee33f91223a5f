/// One step of the schema.
///
/// Once shipped it never changes: a later change of mind is another migration.
package struct Migration: Sendable {
    /// The `user_version` it leads to; greater than that of the one before.
    package let version: Int
    /// Says in a few words what it does, for messages.
    package let name: String
    let apply: @Sendable (Connection) throws -> Void

    package init(version: Int, name: String, apply: @escaping @Sendable (Connection) throws -> Void) {
        self.version = version
        self.name = name
        self.apply = apply
    }

    package init(version: Int, name: String, sql: String) {
        self.init(version: version, name: name) { connection in try connection.execute(sql) }
    }
}

/// Why a database is not brought to this program's schema.
package enum MigrationError: Error, Sendable, Equatable {
    /// A later program wrote it.
    case newerDatabase(found: Int, supported: Int)
    /// It belongs to another program, or has tables and no owner.
    case otherApplication(found: Int32, expected: Int32)
    /// After the migration these tables have rows whose parent row does not exist.
    case danglingReferences(migration: String, tables: [String])
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .newerDatabase(let found, let supported):
            "the database has schema version \(found), this program knows versions up to \(supported): use a newer one"
        case .otherApplication(let found, let expected):
            "the database has application id \(found), not \(expected): it belongs to another program"
        case .danglingReferences(let migration, let tables):
            "migration '\(migration)' would leave rows without their parent in \(tables.joined(separator: ", "))"
        }
    }
}
