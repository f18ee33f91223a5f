import FoundationEssentials
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// A row that is lost or wrong, whose original and whose history are there.
@Suite struct LostRowTests {
    /// Four photos, of which the fourth was purged, and an edit of the first.
    private func withLibrary(
        _ test: String = #function, _ body: (SimulatedLibrary, PhotoLibrary) throws -> Void
    ) throws {
        try withSimulatedLibrary(test) { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b", "c", "d"])
                let edit = try library.stage("a edited")
                _ = try library.publish([edit], origin: "import") { change in
                    try change.perform(
                        .addVersion(
                            VersionAddition(
                                localIdentifier: Sample.identifier(1), resourceType: .photo, content: edit.content)))
                }
                _ = try library.performChanges(origin: "test") { change in
                    try change.trash([Sample.identifier(4)], reason: .person)
                }
                try library.purge([Sample.identifier(4)], origin: "test", reason: .person)
            }
            try home.catchUp()
            try body(home, library)
        }
    }

    private func run(_ home: SimulatedLibrary, _ sql: String, _ arguments: Value...) throws {
        let connection = try Connection(path: "/library/catalogue.sqlite", mode: .readWrite, vfs: home.disk.name)
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.run(sql, arguments)
    }

    private func named(_ home: SimulatedLibrary, _ texts: [String]) throws -> Set<ContentHash> {
        let catalogue = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
        defer { catalogue.close() }
        let directory = try home.library().directory
        var named = try NamedContents(Set(texts.map { try Sample.content($0).hash }), in: catalogue)
        var isMore = true
        while isMore { (named, isMore) = try named.advanced(in: catalogue) }
        try named.read(JournalReader(files: home.files, directory: directory.journal))
        return try named.found(in: catalogue)
    }

    @Test func whatAPhotoHasByTheHistoryIsNamedAndWhatWasPurgedIsNot() throws {
        try withLibrary { home, _ in
            try run(home, "DELETE FROM content")
            let expected = try ["a", "a edited", "b", "c"].map { try Sample.content($0).hash }
            #expect(try named(home, ["a", "a edited", "b", "c", "d", "stranger"]) == Set(expected))
        }
    }

    /// One of the two is enough.
    @Test(arguments: [true, false]) func theJournalNamesItToo(isOfHistory: Bool) throws {
        try withLibrary("of history \(isOfHistory)") { home, _ in
            try run(home, "DELETE FROM content")
            if isOfHistory {
                let name = try #require(try home.names("journal").first)
                try home.program.unlink(Array("/library/journal/\(name)".utf8))
            } else {
                try run(home, "DELETE FROM history")
            }
            #expect(try named(home, ["b"]) == [try Sample.content("b").hash])
        }
    }

    /// A change that cannot be read any more says nothing but that.
    @Test func whatADamagedChangeNamesIsNamed() throws {
        try withLibrary { home, _ in
            try run(home, "DELETE FROM content")
            try run(home, "UPDATE history SET changes = replace(changes, 'createAsset', 'createAsses')")
            let name = try #require(try home.names("journal").first)
            try home.program.unlink(Array("/library/journal/\(name)".utf8))
            #expect(try named(home, ["b", "stranger"]) == [try Sample.content("b").hash])
        }
    }

    /// What a row names is not asked for: a second file of its bytes may go.
    @Test func whatHasARowIsNotNamed() throws {
        try withLibrary { home, _ in
            let found = try named(home, ["a", "b"])
            #expect(found == [])
        }
    }

    /// Requests that a partial rebuild passed over do not hold an orphan for ever.
    @Test func whereChangesAreLostOnlyAnAssetThatIsThereNames() throws {
        try withLibrary { home, _ in
            try run(home, "DELETE FROM content")
            try run(home, "UPDATE history SET origin = 'lost', changes = '[]' WHERE token = 1")
            let name = try #require(try home.names("journal").first)
            try home.program.unlink(Array("/library/journal/\(name)".utf8))
            #expect(try named(home, ["a edited"]) == [try Sample.content("a edited").hash])
            try run(home, "DELETE FROM asset")
            #expect(try named(home, ["a edited"]) == [])
        }
    }

    /// A purge is made again by a rebuild, and what was taken in anew since then is lost with the end of the journal: its bytes
    /// stay.
    @Test(arguments: [true, false]) func aRebuildUnlinksNothing(hasSnapshot: Bool) throws {
        try withLibrary("snapshot \(hasSnapshot)") { home, library in
            if hasSnapshot {
                let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
                try library.directory.keepSnapshots(of: reader, machine: home.simulated.machine)
                reader.close()
            }
            try library.inside { library throws in _ = try library.importAssets(["d"], first: 9) }
            let path = Array("/library/journal/\(try #require(try home.names("journal").first))".utf8)
            let old = try home.program.read(path)
            try home.catchUp()
            home.close()
            try home.program.write(path, old)
            try home.program.unlink(Array("/library/catalogue.sqlite".utf8))
            home.disk.unlink("/library/catalogue.sqlite")
            let again = try home.open()
            try again.onThread { library in
                _ = try library.keepTime()
                #expect(try library.directory.originals.isSound(Sample.content("d")))
                #expect(try library.condition(of: "d") == nil)
            }
        }
    }

    /// A snapshot of the day after has the wrong row, too.
    @Test(arguments: [true, false]) func aRebuildOfWrongRowsTakesNoSnapshot(isKnown: Bool) throws {
        try withLibrary("known \(isKnown)") { home, library in
            let before = try home.dump(except: ["decision", "clock"])
            try run(home, "UPDATE asset SET state = 'trashed', trashedDate = 1 WHERE id = 1")
            let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            try library.directory.keepSnapshots(of: reader, machine: home.simulated.machine)
            reader.close()
            var memory = AuditMemory()
            memory.history = HistoryFindings()
            memory.history?.rows = isKnown ? 1 : nil
            try memory.write(to: library.directory, files: home.files)
            home.close()
            try home.program.unlink(Array("/library/catalogue.sqlite".utf8))
            home.disk.unlink("/library/catalogue.sqlite")
            let again = try home.open()
            #expect(try #require(again.onThread { $0.recovery.rebuilt }).snapshot == nil)
            #expect(AuditMemory.read(from: again.directory, files: home.files).history?.rows == nil)
            home.close()
            #expect(try home.dump(except: ["decision", "clock"]) == before)
        }
    }

    /// What is lost of the journal a snapshot has, whatever else it has.
    @Test func aJournalThatDoesNotFollowIsNoReasonNotToRebuild() throws {
        try withLibrary { home, library in
            let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            try library.directory.keepSnapshots(of: reader, machine: home.simulated.machine)
            reader.close()
            let path = Array("/library/journal/\(try #require(try home.names("journal").first))".utf8)
            var lines = try home.program.read(path).split(separator: UInt8(ascii: "\n")).map { Array($0) }
            lines[0] = Array(#"{"token":1,"date":"2026-11-30T02:01:09.250000Z","origin":"x","changes":[]}"#.utf8)
            try home.program.write(path, Array(lines.joined(separator: [10])) + [10])
            var memory = AuditMemory()
            memory.history = HistoryFindings()
            memory.history?.rows = 1
            try memory.write(to: library.directory, files: home.files)
            home.close()
            try home.program.unlink(Array("/library/catalogue.sqlite".utf8))
            home.disk.unlink("/library/catalogue.sqlite")
            #expect(try home.open().onThread { $0.recovery.rebuilt?.snapshot } != nil)
        }
    }

    @Test(arguments: [true, false]) func aSizeIsJudgedByTheHash(reading: Bool) throws {
        try withLibrary("reading \(reading)") { home, library in
            var content = try Sample.content("b")
            content.byteCount += 1
            let look = library.directory.originals.look(at: content, reading: reading)
            #expect(look.finding == .misstated(byteCount: 1) && look.condition == .sound)
            try run(home, "UPDATE content SET byteCount = 2 WHERE hash = ?", .blob(content.hash.bytes))
            #expect(try Repairer(library).mend(content, isDryRun: false) == .sound)
            try library.inside { [content] library throws in
                let found = try library.record([(content, library.directory.originals.look(at: content, reading: true))]
                )
                #expect(found.map(\.finding) == [.misstated(byteCount: 1)])
                #expect(try library.condition(of: "b") == .sound)
            }
        }
    }

    @Test func aSnapshotGivesAChangeThatIsWholeThere() throws {
        try withLibrary { home, library in
            let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            try library.directory.keepSnapshots(of: reader, machine: home.simulated.machine)
            let whole = try reader.history(after: 1, limit: 1)
            try run(home, "UPDATE history SET changes = replace(changes, 'addVersion', 'addVersios') WHERE token = 2")
            #expect(try reader.unreadableChanges(among: 1...9) == [2, 5, 6, 7, 8, 9])
            let found = try library.directory.changesInSnapshots([2, 9], files: home.files, vfs: home.disk.name)
            #expect(found.map(\.line.token) == [2] && found.first?.place.hasPrefix("snapshots/") == true)
            try library.inside { library throws in try library.restoreHistory(try #require(found.first)) }
            #expect(try reader.history(after: 1, limit: 1) == whole)
            reader.close()
        }
    }
}
