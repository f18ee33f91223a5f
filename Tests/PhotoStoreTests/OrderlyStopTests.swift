import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// A start after an orderly stop begins at once, and takes nothing away before the catalogue was checked (RULES R8).
@Suite struct OrderlyStopTests {
    private func withLibrary(_ test: String = #function, _ body: (RealLibrary) throws -> Void) throws {
        try withScratchFolder(test) { scratch in
            let home = RealLibrary(in: scratch)
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a", "b"])
                _ = try library.performChanges(origin: "test") {
                    try $0.trash([Sample.identifier(1)], reason: .person)
                }
                library.closeInOrder()
            }
            try body(home)
        }
    }

    /// A word of a row that the schema forbids, which the quick check finds.
    private func spoil(_ home: RealLibrary, _ sql: String) throws {
        try home.withCatalogue { connection throws in
            try connection.execute("PRAGMA ignore_check_constraints = ON")
            try connection.execute(sql)
        }
        try vouch(for: home)
    }

    /// As if the disk itself had done what was done to the file: its times do not tell.
    private func vouch(for home: RealLibrary) throws {
        let root = try home.machine.files.openDirectory(Array(home.path.utf8))
        let status = try home.machine.files.status(at: Array("catalogue.sqlite".utf8), in: root)
        try home.write(".closed", "\(status.inode) \(status.byteCount) \(status.modified) \(status.changed)\n")
    }

    private func isStored(_ text: String, _ library: PhotoLibrary) throws -> Bool {
        try library.directory.originals.isSound(try Sample.content(text))
    }

    @Test func theCheckIsOwedAndTheMarkIsGone() throws {
        try withLibrary { home in
            #expect(access(home.path + "/.closed", F_OK) == 0)
            let library = try home.open()
            #expect(access(home.path + "/.closed", F_OK) != 0)
            #expect(!library.inspection.hasPassed)
            try library.inspect()
            #expect(library.inspection.hasPassed && library.inspection.awaitPass())
            library.onThread { $0.close() }
            let afterACrash = try home.open()
            #expect(afterACrash.inspection.hasPassed)
            afterACrash.onThread { $0.close() }
        }
    }

    enum Doubt: CaseIterable {
        case written
        case replaced
        case logLeft
        case damageWasMet
        case markTorn
    }

    @Test(arguments: Doubt.allCases) func whateverHappenedSinceIsCheckedAtTheStart(doubt: Doubt) throws {
        try withLibrary("\(doubt)") { home in
            switch doubt {
            case .written: try home.withCatalogue { try $0.execute("DELETE FROM lastUse; PRAGMA user_version = 4") }
            case .replaced:
                let bytes = try home.read("catalogue.sqlite")
                #expect(unlink(home.path + "/catalogue.sqlite") == 0)
                try home.write("catalogue.sqlite", "")
                let file = Glibc.open(home.path + "/catalogue.sqlite", O_WRONLY)
                #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
                close(file)
            case .logLeft: try home.write("catalogue.sqlite-wal", "")
            case .damageWasMet: try home.write(".doubt", "test\n")
            case .markTorn: try home.write(".closed", "")
            }
            let library = try home.open()
            #expect(library.inspection.hasPassed)
            library.onThread { $0.close() }
        }
    }

    @Test func damageIsFoundByTheCheck() throws {
        try withLibrary { home in
            try spoil(home, "UPDATE asset SET mediaType = 'sculpture'")
            let library = try home.open()
            #expect(throws: LibraryError.self) { try library.inspect() }
            #expect(!library.inspection.hasPassed && !library.inspection.awaitPass())
            library.onThread { $0.close() }
        }
    }

    @Test func whatIsMissingIsFoundAfterTheCheck() throws {
        try withLibrary { home in
            #expect(unlink(home.path + "/" + String(decoding: try Sample.content("b").path.bytes, as: UTF8.self)) == 0)
            let library = try home.open()
            #expect(try library.onThread { try $0.condition(of: "b") } == .sound)
            try library.inspect()
            #expect(library.onThread { $0.recovery.newlyMissing } == 1)
            #expect(try library.onThread { try $0.condition(of: "b") } == .missing)
            library.onThread { $0.close() }
        }
    }

    @Test func nothingIsUnlinkedBeforeTheCheck() throws {
        try withLibrary { home in
            let stray = PathBytes(home.path).appending(try Sample.content("stray").path.bytes)
            _ = mkdir(String(decoding: stray.directory.bytes, as: UTF8.self), 0o700)
            try PosixProgram().write(stray.bytes, Array("stray".utf8))
            let library = try home.open()
            let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
            let orphan = try #require(try library.directory.originals.unnamed(in: reader).first)
            reader.close()
            #expect(library.onThread { $0.recovery.orphanFiles.isEmpty })
            try library.inside { library throws in
                _ = try library.purge([Sample.identifier(1)], origin: "test", reason: .person)
                _ = try library.keepTime()
                #expect(try isStored("a", library))
                #expect(try !library.discard(orphan))
            }
            try library.inspect()
            #expect(library.onThread { $0.recovery.orphanFiles } == [orphan])
            try library.inside { library throws in
                _ = try library.keepTime()
                #expect(try !isStored("a", library))
                #expect(try isStored("b", library))
                #expect(try library.discard(orphan))
                library.close()
            }
        }
    }

    @Test func whoWaitsIsToldThatTheDaemonEnds() async throws {
        try await withScratchFolder { scratch in
            let home = RealLibrary(in: scratch)
            try home.open().onThread { $0.closeInOrder() }
            let library = try home.open()
            let answer = Task { try await library.inspection.requirePass() }
            library.inspection.end()
            await #expect(throws: CatalogueInspection.Ended.self) { try await answer.value }
            #expect(library.inspection.hasEnded && !library.inspection.awaitPass())
            library.onThread { $0.close() }
        }
    }
}
