import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// Every way to lose a catalogue of the real file system; the same rows afterwards.
@Suite struct LostCatalogueTests {
    enum Loss: CaseIterable {
        case removed
        case emptied
        case truncated
        case bytesFlipped
        case noDatabase
        case oldSnapshotBesideANewerLog
    }

    @Test(arguments: Loss.allCases)
    func itComesBackAsItWas(loss: Loss) throws {
        try withScratchFolder("\(loss)") { scratch in
            let home = RealLibrary(in: scratch)
            let before = try makeLibrary(home, loss)
            try lose(loss, home)
            let library = try home.open()
            let rebuilt = library.onThread { $0.recovery.rebuilt }
            #expect((rebuilt == nil) == (loss == .oldSnapshotBesideANewerLog))
            library.onThread { $0.close() }
            #expect(try rows(home) == before)
            if let kept = rebuilt?.setAside { #expect(access(home.path + "/" + kept, F_OK) == 0) }
            #expect((rebuilt?.setAside == nil) == [.removed, .oldSnapshotBesideANewerLog].contains(loss))
            #expect(try home.inventory().filter { $0.contains("rebuilt") } == [])
        }
    }

    @Test func aSecondDaemonsLibraryIsNotRebuilt() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            let library = try home.open()
            #expect(throws: LibraryError.self) {
                try PhotoLibrary.rebuild(
                    Array(home.path.utf8), machine: home.machine, options: .init(), progress: { _, _ in })
            }
            library.onThread { $0.close() }
        }
    }

    @Test func aPlaceWithoutALibraryGetsNone() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            mkdir(home.path, 0o700)
            #expect(throws: LibraryError.self) {
                try PhotoLibrary.rebuild(
                    Array(home.path.utf8), machine: home.machine, options: .init(), progress: { _, _ in })
            }
            let left = try home.inventory()
            #expect(left == [])
        }
    }

    @Test func aSoundCatalogueLosesNothingThatTheJournalDidNotHave() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try home.make()
            let before = try rows(home)
            let answer = try PhotoLibrary.rebuild(
                Array(home.path.utf8), machine: home.machine, options: .init(), progress: { _, _ in })
            #expect(answer.report.contents.assets == 1)
            #expect(try rows(home) == before)
        }
    }

    @Test func snapshotsAreWholePrivateAndOneADay() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            let library = try home.open()
            let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
            #expect(try library.directory.keepSnapshots(of: reader, machine: home.machine))
            #expect(try !library.directory.keepSnapshots(of: reader, machine: home.machine))
            reader.close()
            library.onThread { $0.close() }
            let lines = try home.inventory().filter { $0.hasPrefix("snapshots/catalogue") }
            #expect(lines.count == 1 && lines[0].split(separator: " ")[1] == "600")
        }
    }

    /// A library with a snapshot of its first half, and everything in the journal.
    private func makeLibrary(_ home: RealLibrary, _ loss: Loss) throws -> [String] {
        let library = try home.open()
        let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
        let journal = try Journal(machine: home.machine, directory: library.directory.journal, catalogue: reader)
        try library.inside { library throws in
            try library.perform(Sample.registration(), Sample.album(100))
            try library.importAssets((0..<40).map { "early \($0)" })
        }
        // Without a snapshot in some cases, so that the journal alone is tried, too.
        if loss != .removed { try library.directory.keepSnapshots(of: reader, machine: home.machine) }
        try library.inside { library throws in
            try library.importAssets((0..<40).map { "late \($0)" }, first: 50)
            for number in 1...30 as ClosedRange<UInt8> {
                try library.perform(
                    Sample.source("\(number).jpg", number), Sample.adding(80 - number, to: 100, by: .person))
            }
        }
        try journal.catchUp()
        if loss == .oldSnapshotBesideANewerLog { try copy(home, "catalogue.sqlite-wal", "kept-wal") }
        reader.close()
        library.onThread { $0.close() }
        return try rows(home)
    }

    /// An older catalogue is put back, and a journal that goes no further: nothing is unlinked on its word.
    ///
    /// A purge that it has yet to end was ended since, and the bytes were taken in anew.
    @Test func anOlderCatalogueThatIsPutBackUnlinksNothing() throws {
        try withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try home.make()
            try home.withCatalogue {
                try $0.execute("INSERT INTO unlinkWork (hash, fileExtension) SELECT hash, fileExtension FROM content")
            }
            let library = try home.open()
            let reader = try Catalogue.openForReading(at: home.path + "/catalogue.sqlite")
            _ = try library.directory.keepSnapshots(of: reader, machine: home.machine)
            reader.close()
            library.onThread { $0.close() }
            let name = try #require(
                try home.inventory().first { $0.hasPrefix("snapshots/catalogue-") }?.split(separator: " ").first)
            try copy(home, String(name), "catalogue.sqlite")
            for suffix in ["-wal", "-shm"] { unlink(home.path + "/catalogue.sqlite" + suffix) }
            let again = try home.open()
            again.onThread { $0.close() }
            try home.withCatalogue { connection in
                let owed = try connection.first("SELECT count(*) FROM unlinkWork") { $0.int(0) }
                #expect(owed == 0)
            }
        }
    }

    private func rows(_ home: RealLibrary) throws -> [String] {
        var rows: [String] = []
        try home.withCatalogue { rows = try dumpTables($0, except: ["decision", "clock"]) }
        return rows
    }

    private func lose(_ loss: Loss, _ home: RealLibrary) throws {
        let path = home.path + "/catalogue.sqlite"
        let size = try home.read("catalogue.sqlite").count
        switch loss {
        case .removed: unlink(path)
        case .emptied: try home.write("catalogue.sqlite", "")
        case .truncated: truncate(path, off_t(size / 2 / 4096 * 4096 + 100))
        case .bytesFlipped: try flip(path, at: size / 2, count: 8192)
        case .noDatabase: try home.write("catalogue.sqlite", String(repeating: "no database\n", count: 1000))
        case .oldSnapshotBesideANewerLog:
            let name = try #require(
                try home.inventory().first { $0.hasPrefix("snapshots/catalogue-") }?.split(separator: " ").first)
            unlink(path)
            try copy(home, String(name), "catalogue.sqlite")
            try copy(home, "kept-wal", "catalogue.sqlite-wal")
            unlink(home.path + "/kept-wal")
        }
    }

    private func flip(_ path: String, at offset: Int, count: Int) throws {
        let file = open(path, O_RDWR)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        #expect(pread(file, &bytes, count, off_t(offset)) == count)
        for index in bytes.indices { bytes[index] ^= 0xFF }
        #expect(pwrite(file, bytes, count, off_t(offset)) == count)
    }

    private func copy(_ home: RealLibrary, _ name: String, _ newName: String) throws {
        let bytes = try home.read(name)
        let file = open(home.path + "/" + newName, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        #expect(write(file, bytes, bytes.count) == bytes.count)
    }
}
