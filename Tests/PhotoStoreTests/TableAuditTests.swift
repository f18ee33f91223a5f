import FoundationEssentials
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// The tables held against what the history makes: what no page, no index and no hash tells.
@Suite struct TableAuditTests {
    private func withFilled(_ test: String = #function, _ body: (SimulatedLibrary) throws -> Void) throws {
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.perform(Sample.registration(), Sample.album(100), Sample.album(101, "Best"))
                try library.importAssets(["a", "b", "c", "d"])
                try library.perform(
                    Sample.source("a.jpg", 1), Sample.source("b.jpg", 2),
                    Sample.source("x.txt", nil, outcome: .skipped),
                    Sample.adding(4, 2, 1, to: 100, by: .folder), Sample.removing(2, from: 100, by: .person),
                    .bindExternal(
                        ExternalBinding(externalIdentifier: "phone:1", localIdentifier: Sample.identifier(3))))
                try library.perform(try Sample.facts(of: 3, "c"))
                _ = try library.performChanges(origin: "test") { change in
                    try change.trash([Sample.identifier(2), Sample.identifier(4)], reason: .person)
                }
                try library.purge([Sample.identifier(4)], origin: "test", reason: .person)
            }
            try body(home)
        }
    }

    private func audit(_ home: SimulatedLibrary, meanwhile: () throws -> Void = {}) throws -> TableAudit.Step {
        let audit = try TableAudit(
            of: try home.library().directory, machine: home.simulated.machine, vfs: home.disk.name)
        while true {
            let step = try audit.advance()
            guard case .going = step else { return step }
            try meanwhile()
        }
    }

    private func differences(_ home: SimulatedLibrary) throws -> [TableDifference] {
        let step = try audit(home)
        guard case .compared(let found) = step else {
            Issue.record("\(step)")
            return []
        }
        return found
    }

    private func sentences(_ home: SimulatedLibrary) throws -> [String] { try differences(home).map(\.sentence) }

    private func run(_ home: SimulatedLibrary, _ sql: String, _ arguments: Value...) throws {
        let connection = try Connection(
            path: "/library/catalogue.sqlite", mode: .readWrite, vfs: home.disk.name)
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.run(sql, arguments)
    }

    @Test func aCatalogueThatItsHistoryMakesHasNoDifference() throws {
        try withFilled { home in
            let step = try audit(home)
            #expect(step == .compared([]))
            #expect(try !home.names("").contains("catalogue.replayed.sqlite"))
        }
    }

    @Test func aStateThatNoChangeGaveIsNamed() throws {
        try withFilled { home in
            try run(home, "UPDATE asset SET state = 'purged' WHERE id = 1")
            let found = try differences(home)
            #expect(
                found.map(\.sentence) == [
                    "the row of asset with id 1 has state 'purged', and by its history it is 'live'"
                ])
            #expect(found.first?.localIdentifier == Sample.identifier(1))
        }
    }

    @Test func twoVersionsOfOneContentAreNamed() throws {
        try withFilled { home in
            let (a, b) = (try Sample.content("a").hash, try Sample.content("b").hash)
            try run(home, "UPDATE version SET hash = ? WHERE hash = ?", .blob(b.bytes), .blob(a.bytes))
            let found = try sentences(home)
            #expect(
                found == [
                    "the row of version with resource 1, ordinal 0 has hash \(b.hexadecimal), and by its history it is \(a.hexadecimal)"
                ])
        }
    }

    /// One bit of a key: one row too many, and one too few.
    @Test func aHashThatChangedIsARowTooManyAndOneTooFew() throws {
        try withFilled { home in
            let hash = try Sample.content("c").hash
            let other = hash.bytes.dropLast() + [(hash.bytes.last ?? 0) ^ 1]
            try run(home, "UPDATE content SET hash = ? WHERE hash = ?", .blob(Array(other)), .blob(hash.bytes))
            let found = try sentences(home)
            #expect(found.count == 2)
            #expect(found.first?.hasSuffix("is in the catalogue, and its history makes no such row") == true)
            let lacking = "is not in the catalogue, and its history makes it"
            #expect(found.last == "the row of content with hash \(hash.hexadecimal) \(lacking)")
            let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            defer { catalogue.close() }
            #expect(try catalogue.integrityFindings() == ["a row of version names a row of content that is not there"])
        }
    }

    /// Whatever differs in whichever of the tables.
    @Test(arguments: [
        "UPDATE album SET title = X'41' WHERE id = 1", "DELETE FROM albumMember WHERE asset = 1",
        "DELETE FROM albumRemoval", "UPDATE source SET inode = 7 WHERE id = 1", "DELETE FROM smartMember",
        "UPDATE folder SET isMarked = 0", "UPDATE externalMapping SET boundDate = boundDate + 1",
        "UPDATE resource SET originalFilename = X'FF' WHERE id = 2", "UPDATE assetFacts SET facts = '{}'",
        "UPDATE content SET byteCount = byteCount + 1 WHERE byteCount = 1 AND hash = (SELECT min(hash) FROM content)",
        "INSERT INTO pin (asset) VALUES (1)", "UPDATE content SET condition = 'missing'",
    ])
    func everyTableOfTheHistoryIsCompared(sql: String) throws {
        try withFilled(sql) { home in
            try run(home, sql)
            #expect(try !sentences(home).isEmpty)
        }
    }

    @Test func moreThanTheLimitIsNotTold() throws {
        try withFilled { home in
            let library = try home.library()
            try library.inside { library throws in
                try library.importAssets((0..<30).map { "n\($0)" }, first: 20)
            }
            try run(home, "UPDATE asset SET addedDate = addedDate + 1")
            #expect(try sentences(home).count == TableAudit.limit)
        }
    }

    /// What is committed while it runs is made again before each look.
    @Test func whatIsCommittedMeanwhileIsNoDifference() throws {
        try withFilled { home in
            let library = try home.library()
            var number: UInt8 = 20
            let step = try audit(home) {
                guard number < 60 else { return }
                try library.inside { [number] library throws in
                    try library.importAssets(["m\(number)"], first: number)
                    try library.perform(
                        Sample.source("\(number).jpg", number), Sample.adding(number, to: 100, by: .folder))
                }
                number += 1
            }
            #expect(step == .compared([]) && number > 25)
        }
    }

    @Test func whereChangesAreLostNothingIsCompared() throws {
        try withFilled { home in
            try run(home, "UPDATE history SET origin = 'lost', changes = '[]' WHERE token = 2")
            #expect(try audit(home) == .notComparable("1 change is lost"))
        }
    }

    @Test func whatDoesNotFollowIsNoDamage() throws {
        try withFilled { home in
            try run(home, "UPDATE history SET changes = '[]' WHERE token = 2")
            let step = try audit(home)
            guard case .notComparable(let why) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(why.hasPrefix("change 3 does not follow from those before it: no asset "), "\(why)")
        }
    }

    @Test func aDiskWithoutRoomForASecondCatalogueComparesNothing() throws {
        try withFilled { home in
            home.files.configure { $0.capacity = 3 << 20 }
            try home.program.write(Array("/filler".utf8), [UInt8](repeating: 1, count: 2_080_000))
            #expect(try audit(home) == .notComparable("the disk has no room for a second catalogue"))
        }
    }

    @Test func whatACrashLeavesGoesAtTheNextStart() throws {
        try withFilled { home in
            let audit = try TableAudit(
                of: try home.library().directory, machine: home.simulated.machine, vfs: home.disk.name)
            _ = try audit.advance()
            #expect(try home.names("").contains("catalogue.replayed.sqlite"))
            home.kill()
            _ = try home.open()
            #expect(try !home.names("").contains("catalogue.replayed.sqlite"))
            withExtendedLifetime(audit) {}
        }
    }
}
