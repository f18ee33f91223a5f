import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// Holds a library that no daemon has open against the invariants of RULES (I1, I5-I8, I10, I11, I20) and against its journal.
struct LibraryCheck {
    private let library: String
    private let connection: Connection
    private let files = LinuxFiles()

    init(_ library: String) throws {
        self.library = library
        connection = try Connection(path: library + "/catalogue.sqlite", mode: .readOnly)
    }

    func run() throws {
        defer { connection.close() }
        try checkCatalogue()
        try checkOriginals()
        try checkAssets()
        try checkJournal()
        try checkReplay()
        #expect(try names(in: "staging").isEmpty)
    }

    private func checkCatalogue() throws {
        #expect(try connection.integrityCheck() == [])
        #expect(try connection.all("PRAGMA foreign_key_check") { $0.value(0) } == [])
        #expect(try connection.first("PRAGMA application_id") { $0.int(0) } == Int(Catalogue.applicationID))
        #expect(try connection.first("PRAGMA user_version") { $0.int(0) } == Catalogue.migrations.count)
    }

    /// Every row has its file, or its object in the simulated cloud, and every file its name's hash.
    func checkOriginals() throws {
        var stored: [String: UInt32] = [:]
        for shard in try names(in: "originals") {
            for name in try names(in: "originals/\(shard)") {
                let path = "originals/\(shard)/\(name)"
                #expect(try hash(of: path).hexadecimal == String(name.prefix(64)), "\(path)")
                stored[name] = try mode(of: path)
            }
        }
        let rows = try connection.all("SELECT hash, fileExtension, condition, residency FROM content") { row in
            (hash: ContentHash(bytes: row.blob(0)), suffix: row.text(1), condition: row.text(2), residency: row.text(3))
        }
        for row in rows {
            let name = "\(row.hash?.hexadecimal ?? "").\(row.suffix)"
            let isHere = row.residency == "inCloud" || stored[name] == 0o400
            #expect(row.condition == "sound" && isHere, "\(name): \(row.condition), \(row.residency)")
            if row.residency != "local", let hash = row.hash { try checkObject(hash) }
        }
    }

    /// The newest version of the object has the bytes.
    private func checkObject(_ hash: ContentHash) throws {
        let path = "\(library)-cloud/objects/\(hash.hexadecimal.prefix(2))/\(hash.hexadecimal)"
        let directory = try files.openDirectory(Array(path.utf8))
        let newest = try #require(try files.list(directory).map(\.name).max { $0.lexicographicallyPrecedes($1) })
        let object = try files.openForReading(newest, beneath: directory)
        #expect(try ContentHasher.hash(file: object, files: files) == hash.bytes, "\(path)")
    }

    /// One content, one asset; every asset of a folder in an album; every mapping decided.
    private func checkAssets() throws {
        let shared = try connection.all(
            """
            SELECT hex(hash) FROM version JOIN resource ON resource.id = resource JOIN asset ON asset.id = asset
            WHERE state <> 'purged' GROUP BY hash HAVING count(DISTINCT asset.id) > 1
            """
        ) { $0.text(0) }
        #expect(shared == [], "contents of more than one asset")
        let stray = try connection.all(
            """
            SELECT hex(uuid) FROM asset WHERE state = 'live' AND id IN (SELECT asset FROM source)
                AND id NOT IN (SELECT asset FROM albumMember) AND id NOT IN (SELECT asset FROM albumRemoval)
            """
        ) { $0.text(0) }
        #expect(stray == [], "assets of a folder that are in no album")
        let bare = try connection.first(
            "SELECT count(*) FROM asset WHERE state <> 'purged' AND id NOT IN (SELECT asset FROM resource)"
        ) { $0.int(0) }
        #expect(bare == 0, "assets without a resource")
    }

    /// The journal has every token of the history once, in order in each file, and what follows a half line is whole.
    ///
    /// A clock that was set back puts newer lines into an older month.
    private func checkJournal() throws {
        struct Line: Decodable { var token: Int64 }
        var tokens: [Int64] = []
        for name in try names(in: "journal") {
            let lines = try PosixProgram().read("\(library)/journal/\(name)").split(separator: UInt8(ascii: "\n"))
            let found = lines.compactMap { try? JSONDecoder().decode(Line.self, from: Data($0)).token }
            #expect(found == found.sorted(), "\(name)")
            tokens += found
        }
        let history = try connection.all("SELECT token FROM history ORDER BY token") { $0.integer(0) }
        #expect(tokens.sorted() == history, "the journal is not the history")
    }

    /// The journal applied to an empty catalogue gives the same rows; only the stories of `why`, the clock and the work
    /// that purges leave are not in it.
    private func checkReplay() throws {
        let path = library + "-rebuilt.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        let catalogue = try Catalogue.openForWriting(at: path)
        try catalogue.bringUpToDate { _ in }
        let directory = try files.openDirectory(Array("\(library)/journal".utf8))
        var lines = try JournalReader(files: files, directory: directory).lines(after: 0)
        while let line = try lines.next() {
            try catalogue.replay(line)
        }
        catalogue.close()
        let rebuilt = try Connection(path: path, mode: .readOnly)
        defer { rebuilt.close() }
        func isJournaled(_ row: String) -> Bool {
            !["decision ", "clock ", "unlinkWork ", "objectWork ", "lastUse ", "reading ", "factsWork "].contains {
                row.hasPrefix($0)
            }
        }
        let rows = try Self.rows(of: connection).filter(isJournaled)
        let difference = try Self.rows(of: rebuilt).filter(isJournaled).difference(from: rows)
        #expect(difference.isEmpty, "what the journal rebuilds differs")
    }

    /// Every row of every table, to see whether anything changed; the clock goes on by itself.
    func rows() throws -> [String] { try Self.rows(of: connection).filter { !$0.hasPrefix("clock ") } }

    private static func rows(of connection: Connection) throws -> [String] {
        let tables = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
            $0.text(0)
        }
        return try tables.flatMap { table in
            let columns = try connection.all("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
            return try connection.all("SELECT * FROM \(table) ORDER BY \(columns.count > 1 ? "1, 2" : "1")") { row in
                "\(table) \((0..<columns.count).map { row.value($0) })"
            }
        }
    }

    /// How often each source's path stands in the catalogue with an asset.
    func mappedPaths() throws -> [[UInt8]: Int] {
        let paths = try connection.all(
            "SELECT folder.path, source.path FROM source JOIN folder ON folder.id = folder WHERE asset IS NOT NULL"
        ) { $0.blob(0) + [UInt8(ascii: "/")] + $0.blob(1) }
        return Dictionary(paths.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Assets that are not purged.
    func assetCount() throws -> Int {
        try connection.first("SELECT count(*) FROM asset WHERE state <> 'purged'") { $0.int(0) } ?? 0
    }

    private func names(in directory: String) throws -> [String] {
        let opened = try files.openDirectory(Array("\(library)/\(directory)".utf8))
        return try files.list(opened).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    }

    private func hash(of path: String) throws -> ContentHash {
        let root = try files.openDirectory(Array(library.utf8))
        let bytes = try ContentHasher.hash(file: files.openForReading(Array(path.utf8), beneath: root), files: files)
        return try #require(ContentHash(bytes: bytes))
    }

    private func mode(of path: String) throws -> UInt32 {
        try files.status(at: Array(path.utf8), in: try files.openDirectory(Array(library.utf8))).mode
    }
}
