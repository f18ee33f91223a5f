import SQLite

/// The catalogue's tables as they are in its file, held against those that albumd makes.
extension Catalogue {
    /// Tables and indexes of this file's version that it has not, or has otherwise: damage that leaves every page sound.
    ///
    /// What somebody added is no fault. A version that is not known is not judged.
    func alteredTables() throws -> [String] {
        let version = try connection.first("SELECT user_version FROM pragma_user_version") { $0.int(0) } ?? 0
        guard Catalogue.migrations.contains(where: { $0.version == version }) else {
            return try version == 0 && hasHistory() ? ["user_version"] : []
        }
        let model = Catalogue(try Connection(path: ":memory:", mode: .readWriteCreate))
        defer { model.close() }
        try Migrator(
            applicationID: Catalogue.applicationID, migrations: Catalogue.migrations.filter { $0.version <= version }
        ).migrate(model.connection) { _ in }
        let found = try definitions()
        return try model.definitions().filter { found[$0.key] != $0.value }.map(\.key).sorted()
    }

    func hasHistory() throws -> Bool { try definitions()["history"] != nil }

    private func definitions() throws -> [String: String] {
        let rows = try connection.all("SELECT name, type || ' ' || tbl_name || coalesce(sql, '') FROM sqlite_schema") {
            ($0.text(0), $0.text(1))
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}
