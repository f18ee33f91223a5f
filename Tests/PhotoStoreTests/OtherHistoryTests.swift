import Glibc
import PhotoModel
import Platform
import SQLite
import TestSupport
import Testing

@testable import PhotoStore

/// What is of another library, put among this one's files, is refused before anything of this one is changed.
@Suite struct OtherHistoryTests {
    private func withTwoLibraries(
        _ test: String = #function, _ body: (_ home: RealLibrary, _ other: RealLibrary) throws -> Void
    ) throws {
        try withScratchFolder(test) { scratch in
            let (home, other) = (RealLibrary(in: scratch), RealLibrary(in: scratch, at: "other", after: .seconds(9)))
            try fill(home, ["a", "b"])
            try fill(other, ["c", "d", "e", "f"])
            try body(home, other)
        }
    }

    private func fill(_ home: RealLibrary, _ texts: [String]) throws {
        let library = try home.open()
        let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
        try library.inside { library throws in
            try library.perform(Sample.registration())
            for (index, text) in texts.enumerated() { try library.importAssets([text], first: UInt8(index + 1)) }
        }
        try Journal(machine: home.machine, directory: library.directory.journal, catalogue: reader).catchUp()
        try library.directory.keepSnapshots(of: reader, machine: home.machine)
        reader.close()
        library.onThread { $0.close() }
    }

    private func copy(_ name: String, from other: RealLibrary, to home: RealLibrary, as newName: String? = nil) throws {
        let bytes = try other.read(name)
        let path = home.path + "/" + (newName ?? name)
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        #expect(write(file, bytes, bytes.count) == bytes.count)
    }

    private func name(in home: RealLibrary, _ prefix: String) throws -> String {
        let line = try home.inventory().first { $0.hasPrefix(prefix) && !$0.hasPrefix(prefix + " ") }
        return String(try #require(line?.split(separator: " ").first))
    }

    private func rows(_ home: RealLibrary) throws -> [String] {
        var rows: [String] = []
        try home.withCatalogue { rows = try dumpTables($0, except: ["decision", "clock"]) }
        return rows
    }

    private func rebuild(_ home: RealLibrary, isPartial: Bool = false) throws -> RebuildReport? {
        var options = PhotoLibrary.RebuildOptions()
        options.isPartial = isPartial
        return try PhotoLibrary.rebuild(
            Array(home.path.utf8), machine: home.machine, options: options, progress: { _, _ in }
        ).report
    }

    private func expectRefusal(_ home: RealLibrary, _ words: String) throws {
        let before = try home.inventory()
        #expect { try home.open() } throws: { "\($0)".contains(words) }
        #expect(try home.inventory() == before)
    }

    /// Whichever of the two is longer.
    @Test(arguments: [false, true])
    func itsCatalogueIsNotOpenedAndNotJournaled(isShorter: Bool) throws {
        try withTwoLibraries("\(isShorter)") { home, other in
            let (home, other) = isShorter ? (other, home) : (home, other)
            let (before, journal) = (try rows(home), try name(in: home, "journal/"))
            let lines = try home.read(journal)
            try copy("catalogue.sqlite", from: other, to: home)
            try expectRefusal(home, "move away whichever is not this library's: catalogue.sqlite")
            #expect(try rebuild(home)?.setAside != nil)
            #expect(try home.read(journal) == lines)
            #expect(try rows(home) == before)
        }
    }

    @Test func itsSnapshotIsPassedOverWhereAnotherAgreesAndElseRefused() throws {
        try withTwoLibraries { home, other in
            let before = try rows(home)
            let own = try name(in: home, "snapshots/")
            // The journal is whole, and all that is taken.
            let theirs = "snapshots/catalogue-20300101T000000.sqlite"
            try copy(name(in: other, "snapshots/"), from: other, to: home, as: theirs)
            unlink(home.path + "/catalogue.sqlite")
            let library = try home.open()
            #expect(try #require(library.onThread { $0.recovery.rebuilt }).snapshot == nil)
            library.onThread { $0.close() }
            #expect(try rows(home) == before)
            unlink(home.path + "/" + own)
            unlink(home.path + "/catalogue.sqlite")
            try expectRefusal(home, theirs)
        }
    }

    @Test func itsJournalBesideOursIsNamedAndNothingIsGuessed() throws {
        try withTwoLibraries { home, other in
            let before = try rows(home)
            try copy(name(in: other, "journal/"), from: other, to: home, as: "journal/2021-01.ndjson")
            unlink(home.path + "/" + (try name(in: home, "snapshots/")))
            unlink(home.path + "/catalogue.sqlite")
            try expectRefusal(home, "journal/2021-01.ndjson")
            unlink(home.path + "/journal/2021-01.ndjson")
            let library = try home.open()
            library.onThread { $0.close() }
            #expect(try rows(home) == before)
        }
    }

    /// A journal that was mixed by an albumd that did not look: what fits comes back.
    @Test func aPartialRebuildPassesOverWhatDoesNotFit() throws {
        try withTwoLibraries { home, _ in
            let changes = [Sample.album(100), Sample.adding(1, to: 101, by: .person)]
            let line = HistoryLine(
                token: 4, date: home.machine.now(), origin: "test", changes: try historyText(changes))
            let path = home.path + "/" + (try name(in: home, "journal/"))
            let file = open(path, O_WRONLY | O_APPEND)
            let text = line.json + "\n"
            #expect(write(file, text, text.utf8.count) == text.utf8.count)
            close(file)
            unlink(home.path + "/catalogue.sqlite")
            try expectRefusal(home, "change 4 of the journal does not follow")
            #expect(throws: LibraryError.self) { try rebuild(home) }
            let report = try rebuild(home, isPartial: true)
            #expect(report?.skippedRequests == 1 && report?.contents.albums == 1 && report?.contents.assets == 2)
            try home.open().onThread { $0.close() }
        }
    }

    @Test func aDirectoryUnderAMonthsNameIsNobodysJournal() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in try library.importAssets(["a"]) }
            try home.program.makeDirectory(Array("/library/journal/2023-11.ndjson".utf8))
            try home.catchUp()
            #expect(try home.names("journal") == ["2023-11-2.ndjson", "2023-11.ndjson"])
            home.close()
            #expect(try home.open().onThread { $0.recovery.rebuilt } == nil)
        }
    }
}
