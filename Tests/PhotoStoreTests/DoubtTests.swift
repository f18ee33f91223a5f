import Glibc
import PhotoModel
import PhotoStore
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

/// Damage that the check of every start passes over (RULES R49).
@Suite struct DoubtTests {
    private let corrupt = DatabaseError(code: 11, message: "database disk image is malformed")

    private func withLibrary(_ test: String = #function, _ body: (RealLibrary) throws -> Void) throws {
        try withScratchFolder(test) { scratch in
            let home = RealLibrary(in: scratch)
            let library = try home.open()
            let reader = try Catalogue.openForReading(at: library.directory.cataloguePath)
            try library.inside { library throws in
                try library.perform(Sample.registration(), Sample.album(100))
                try library.importAssets((0..<20).map { "photo \($0)" })
                try library.perform(Sample.source("1.jpg", 1), Sample.source("2.jpg", 2))
            }
            try Journal(machine: home.machine, directory: library.directory.journal, catalogue: reader).catchUp()
            reader.close()
            library.onThread { $0.close() }
            try body(home)
        }
    }

    /// What the daemon meets while it runs.
    private func end(_ home: RealLibrary, because error: DatabaseError) throws -> RebuildReport? {
        let library = try home.open()
        library.doubtCatalogue(because: error)
        library.onThread { $0.close() }
        return library.onThread { $0.recovery.rebuilt }
    }

    @Test func afterDamageWasMetTheNextStartLooksForItAndRebuilds() throws {
        try withLibrary { home in
            let before = try home.rows()
            try home.spoilIndexes(of: "source")
            try home.withCatalogue { connection throws in
                let (quick, whole) = (try connection.quickCheck(), try connection.integrityCheck())
                #expect(quick.isEmpty && !whole.isEmpty)
            }
            #expect(try end(home, because: corrupt) == nil)
            let library = try home.open()
            #expect(library.onThread { $0.recovery.rebuilt?.setAside } != nil)
            library.onThread { $0.close() }
            #expect(try home.rows() == before)
            #expect(access(home.path + "/.doubt", F_OK) != 0)
        }
    }

    @Test(arguments: [(11, true), (10, false), (13, false)] as [(Int32, Bool)])
    func aSoundCatalogueIsReadOnceAndKept(code: Int32, isDoubted: Bool) throws {
        try withLibrary("\(code)") { home in
            let before = try home.rows()
            #expect(try end(home, because: DatabaseError(code: code, message: "test")) == nil)
            #expect((access(home.path + "/.doubt", F_OK) == 0) == isDoubted)
            let library = try home.open()
            #expect(library.onThread { $0.recovery.rebuilt } == nil)
            library.onThread { $0.close() }
            #expect(access(home.path + "/.doubt", F_OK) != 0)
            #expect(try home.rows() == before)
        }
    }

    @Test func damageThatRecoveryMeetsIsLookedForAtTheSameStart() throws {
        try withSimulatedLibrary { home in
            _ = try home.open()
            home.close()
            let met = Mutex(0)
            home.simulated.onReach { [corrupt] milestone in
                guard milestone == .recoverySwept else { return }
                let count = met.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { throw corrupt }
            }
            #expect(try home.open().onThread { $0.recovery.rebuilt } == nil)
            #expect(met.withLock { $0 } == 2)
            #expect(try !home.names(".").contains(".doubt"))
        }
    }

    /// Every page is sound, and no statement fits any more.
    @Test func tablesThatAreNotAlbumdsAreDamage() throws {
        try withLibrary { home in
            let before = try home.rows()
            try home.replaceInCatalogue("trashReason", "trashReasom")
            try home.withCatalogue { connection throws in
                let findings = try connection.integrityCheck()
                #expect(findings == [])
            }
            let library = try home.open()
            #expect(library.onThread { $0.recovery.rebuilt?.setAside } != nil)
            library.onThread { $0.close() }
            #expect(try home.rows() == before)
        }
    }

    /// A bit of its header: it would be taken for one that has no tables yet.
    @Test func aVersionThatTheTablesBelieIsDamage() throws {
        try withLibrary { home in
            let before = try home.rows()
            try home.withCatalogue { try $0.execute("PRAGMA user_version = 0") }
            let library = try home.open()
            #expect(library.onThread { $0.recovery.rebuilt?.setAside } != nil)
            library.onThread { $0.close() }
            #expect(try home.rows() == before)
        }
    }

    @Test func aTableThatSomebodyAddedIsNoDamage() throws {
        try withLibrary { home in
            try home.withCatalogue { try $0.execute("CREATE TABLE mine (x INTEGER)") }
            let library = try home.open()
            #expect(library.onThread { $0.recovery.rebuilt } == nil)
            library.onThread { $0.close() }
        }
    }
}
