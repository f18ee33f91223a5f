import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// A library of an older format, with contents, is brought to the newest one (RULES R49).
@Suite struct MigrationTests {
    /// The first format's, in the order in which rows may be inserted.
    private static let tables = [
        "asset", "content", "resource", "version", "externalMapping", "album", "albumMember", "albumRemoval", "folder",
        "folderAlbum", "source", "history", "decision", "unlinkWork",
    ]
    /// And those that came with the third.
    private static let laterTables = [
        "cloudCopy", "transfer", "pin", "albumTier", "objectWork", "lastUse", "reading", "assetFacts", "smartMember",
    ]

    private static func tables(ofFormat version: Int) -> [String] { tables + (version < 3 ? [] : laterTables) }

    @Test(arguments: [1, 3]) func aCatalogueOfAnOlderFormatKeepsEveryRow(version old: Int) throws {
        try withScratchFolder("\(#function)\(old)") { scratch in
            let home = RealLibrary(in: scratch)
            try fill(home)
            try makeFormat(old, of: home)
            var before: [String: [String]] = [:]
            var columns: [String: [String]] = [:]
            try home.withCatalogue { connection throws in
                let version = try connection.first("PRAGMA user_version") { $0.int(0) }
                #expect(version == old)
                for table in Self.tables(ofFormat: old) {
                    columns[table] = try self.columns(of: table, in: connection)
                    before[table] = try rows(of: table, columns[table], in: connection)
                }
            }
            let empty = Self.tables(ofFormat: old).filter { before[$0]?.isEmpty != false }
            let mayBeEmpty = [
                "folderAlbum", "decision", "unlinkWork", "albumTier", "transfer", "objectWork", "lastUse",
            ]
            #expect(Set(empty).isSubset(of: mayBeEmpty + ["cloudCopy"]), "\(empty)")

            let library = try home.open()
            try library.inside { library throws in
                let altered = try library.catalogue.alteredTables()
                #expect(altered == [])
                let names = try library.catalogue.asset(Sample.identifier(1))?.resources.map(\.originalFilename)
                #expect(names == [PathBytes("IMG_0001.JPG")])
                // It goes on as any other.
                try library.importAssets(["d"], first: 4)
                let residency = try library.read { try $0.version(of: try Sample.content("d").hash)?.residency }
                #expect(residency == .local)
                library.close()
            }
            try home.withCatalogue { connection throws in
                let version = try connection.first("PRAGMA user_version") { $0.int(0) }
                #expect(version == Catalogue.migrations.last?.version)
                #expect(try connection.integrityCheck() == [])
                #expect(try connection.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
                for table in Self.tables(ofFormat: old) {
                    let after = Set(try rows(of: table, columns[table], in: connection))
                    #expect(Set(before[table] ?? []).subtracting(after) == [], "\(table)")
                }
            }
            try expectBackup(in: home, of: before, version: old)
        }
    }

    /// The CHECK of the date's source is made anew, and what was imported before is to be read.
    @Test func whatWasThereBeforeFactsIsToBeReadAndTakesACaptureDate() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try fill(home)
            try makeFormat(1, of: home)
            let library = try home.open()
            try library.inside { library throws in
                #expect(try library.read { try $0.factsCounts() } == FactsCounts(known: 0, waiting: 3, unreadable: 0))
                try library.perform(try Sample.facts(of: 1, "a"))
                #expect(try library.read { try $0.asset(Sample.identifier(1))?.creationDateSource } == .captured)
                // No row number is given out twice.
                try library.importAssets(["d"], first: 4)
                library.close()
            }
            try home.withCatalogue { connection throws in
                #expect(try connection.all("SELECT id FROM asset ORDER BY id") { $0.int(0) } == [1, 2, 3, 4])
                #expect(try connection.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
                #expect(
                    try connection.first("SELECT count(*) FROM sqlite_schema WHERE name = 'newAsset'") { $0.int(0) }
                        == 0)
            }
        }
    }

    /// What joins the files of one asset is in the facts that were there before.
    @Test func identifiersThatWereReadBeforeAreFound() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try fill(home)
            try makeFormat(3, of: home)
            let library = try home.open()
            try library.inside { library throws in
                #expect(
                    try library.read { try $0.assets(havingContentIdentifier: "one", limit: 9) } == [
                        Sample.identifier(1)
                    ])
                // A sidecar can be beside another now.
                for text in ["x", "y"] {
                    let staged = try library.stage(text, fileExtension: "xmp")
                    _ = try library.publish([staged], origin: "test") { change in
                        try change.perform(
                            .addResource(
                                ResourceAddition(
                                    localIdentifier: Sample.identifier(1), resourceType: .xmpSidecar,
                                    originalFilename: PathBytes("a.xmp"), content: staged.content)))
                    }
                }
                let types = try library.read { try $0.asset(Sample.identifier(1))?.resources.map(\.type) }
                #expect(types == [.photo, .xmpSidecar, .xmpSidecar])
                library.close()
            }
        }
    }

    /// Something of everything that the first format knew, and of what came since.
    private func fill(_ home: RealLibrary) throws {
        let library = try home.open()
        try library.inside { library throws in
            try library.importAssets(["a", "b", "c"])
            try library.perform(Sample.registration(), Sample.album(100), Sample.album(101, "Summer"))
            try library.perform(
                Sample.adding(1, 2, 3, to: 100, by: .folder), Sample.adding(2, to: 101, by: .person),
                Sample.removing(3, from: 100, by: .person), Sample.source("a.jpg", 1),
                Sample.source("again.jpg", 1, outcome: .duplicate))
            try library.perform(
                .bindExternal(ExternalBinding(externalIdentifier: "camera-1", localIdentifier: Sample.identifier(1))))
            try library.perform(
                .trashAssets(AssetTrashing(assets: [Sample.identifier(2)], reason: .person, runningSeconds: 0)))
            let hash = try Sample.content("a").hash
            _ = try library.performChanges(origin: "facts") { change in
                try change.keep(ContentReading(hash: hash, reader: 1, facts: "{}", unreadable: nil, tries: 1))
                guard case .setFacts(var facts) = try Sample.facts(of: 1, "a") else { return }
                facts.facts.contentIdentifier = "one"
                try change.perform(.setFacts(facts))
            }
            try library.perform(
                .setPin(PinChange(localIdentifier: Sample.identifier(1), isPinned: true, until: nil)))
            library.close()
        }
    }

    /// The same rows in the tables that the first migrations alone make.
    private func makeFormat(_ version: Int, of home: RealLibrary) throws {
        let (path, old) = (home.path + "/catalogue.sqlite", home.path + "/first.sqlite")
        let connection = try Connection(path: old, mode: .readWriteCreate)
        try Migrator(applicationID: Catalogue.applicationID, migrations: Array(Catalogue.migrations.prefix(version)))
            .migrate(connection) { _ in }
        let newest = try Connection(path: path, mode: .readWrite)
        for table in Self.tables(ofFormat: version) {
            let columns = try columns(of: table, in: connection)
            let (names, marks) = (columns.joined(separator: ", "), columns.map { _ in "?" }.joined(separator: ", "))
            let values = try newest.all("SELECT \(names) FROM \(table)") { row in
                columns.indices.map { row.value($0) }
            }
            for row in values {
                // The first format knew no date of a capture.
                let row = version > 1 ? row : row.map { $0 == "captured" ? "modified" : $0 }
                try connection.run("INSERT INTO \(table) (\(names)) VALUES (\(marks))", row)
            }
        }
        newest.close()
        connection.close()
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        try #require(rename(old, path) == 0 && chmod(path, 0o600) == 0)
    }

    /// The backup is the catalogue of before, whole.
    private func expectBackup(in home: RealLibrary, of before: [String: [String]], version: Int) throws {
        let found = try home.inventory().filter { $0.hasPrefix("snapshots/catalogue-before-migration-") }
        let name = try #require(found.first?.split(separator: " ").first)
        #expect(found.count == 1)
        let backup = try Connection(path: "\(home.path)/\(name)", mode: .readWrite)
        defer { backup.close() }
        #expect(try backup.first("PRAGMA user_version") { $0.int(0) } == version)
        for table in Self.tables(ofFormat: version) {
            #expect(try rows(of: table, nil, in: backup) == before[table], "\(table)")
        }
    }

    private func columns(of table: String, in connection: Connection) throws -> [String] {
        try connection.all("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
    }

    private func rows(of table: String, _ columns: [String]?, in connection: Connection) throws -> [String] {
        let columns = try columns ?? self.columns(of: table, in: connection)
        return try connection.all("SELECT \(columns.joined(separator: ", ")) FROM \(table)") { row in
            columns.indices.map { "\(row.value($0))" }.joined(separator: "|")
        }.sorted()
    }
}
