import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What the start finds and does (RULES R8, I11, I12).
@Suite struct RecoveryTests {
    private func path(_ text: String) throws -> [UInt8] {
        let hash = try Sample.content(text).hash.hexadecimal
        return Array("/library/originals/\(hash.prefix(2))/\(hash).jpg".utf8)
    }

    @Test func stagingIsSwept() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try home.program.write(Array("/library/staging/half".utf8), [1])
            _ = library
            home.kill()
            let reopened = try home.open()
            #expect(reopened.onThread { $0.recovery.swept } == 1)
            #expect(try home.names("staging") == [])
        }
    }

    @Test func anOrphanIsKeptAndSaid() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.close()
            try home.program.makeDirectory(Array("/library/originals/zz".utf8))
            try home.program.write(Array("/library/originals/notes.txt".utf8), [1])
            try home.program.write(Array("/library/originals/ab".utf8), [1])
            let orphan = try path("b")
            try home.program.makeDirectory(Array(orphan.prefix(21)))
            try home.program.write(orphan, Array("b".utf8))
            let reopened = try home.open()
            #expect(reopened.onThread { $0.recovery.orphans } == [try Sample.content("b").hash])
            #expect(try home.program.read(orphan) == Array("b".utf8))
        }
    }

    @Test func aMissingOriginalIsSaidAndItsAssetStays() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a", "b"]) }
            home.close()
            try home.program.unlink(path("a"))
            let reopened = try home.open()
            try reopened.inside { library throws in
                #expect(library.recovery.newlyMissing == 1)
                #expect(try library.condition(of: "a") == .missing)
                #expect(try library.condition(of: "b") == .sound)
                #expect(try library.read { try $0.asset(Sample.identifier(1))?.state } == .live)
                #expect(try library.read { try $0.contentCounts().unsound } == 1)
            }
        }
    }

    @Test func anOriginalUnderAnotherExtensionIsMissing() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.close()
            try home.program.rename(path("a"), to: path("a").dropLast(3) + Array("png".utf8))
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .missing)
        }
    }

    @Test func aMissingOriginalThatIsBackIsSoundAgain() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.close()
            let aside = Array("/a.jpg".utf8)
            try home.program.rename(path("a"), to: aside)
            _ = try home.open()
            home.close()
            try home.program.rename(aside, to: path("a"))
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .sound)
        }
    }

    @Test func bytesThatAreNotTheOriginalsDoNotHealIt() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.close()
            try home.program.unlink(path("a"))
            _ = try home.open()
            home.close()
            try home.program.write(path("a"), Array("b".utf8))
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .missing)
        }
    }

    /// A kill between rename and sync leaves in memory what the disk has not: the next start must not build on it.
    @Test(arguments: [true, false]) func whatAKilledPublishLeftIsDurableAfterTheNextStart(syncsWhole: Bool) throws {
        try withSimulatedLibrary("killed-\(syncsWhole)") { home in
            home.files.configure { $0.syncsWhole = syncsWhole }
            try home.open().inside { library throws in try library.importAssets(["a"]) }
            try home.program.write(try path("a"), Array("rotten".utf8))
            let files = home.files
            home.simulated.onReach { milestone in
                guard milestone == .renamedIntoOriginals else { return }
                // Whatever the dead process would still have done has no effect.
                files.crash()
                throw KilledHere()
            }
            #expect(throws: KilledHere.self) {
                try home.library().inside { library throws in try library.importAssets(["a"]) }
            }
            home.simulated.onReach(nil)
            home.kill()
            #expect(try home.program.read(try path("a")) == Array("a".utf8))
            _ = try home.open()
            home.cutPower()
            _ = try home.open()
            #expect(try home.program.read(try path("a")) == Array("a".utf8))
        }
    }

    @Test func recoveryTwiceGivesEqualCatalogues() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a", "b", "c"]) }
            home.kill()
            try home.program.unlink(path("b"))
            try home.program.write(Array("/library/staging/half".utf8), [1])
            _ = try home.open()
            home.kill()
            let once = try home.dump()
            _ = try home.open()
            home.kill()
            #expect(try home.dump() == once)
        }
    }

    @Test func aCrashWithinRecoveryIsRecoveredFrom() throws {
        try withSimulatedLibrary { home in
            struct Crash: Error {}
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.close()
            try home.program.unlink(path("a"))
            for milestone in [Milestone.recoverySwept, .beforeCatalogueCommit] {
                home.simulated.onReach { if $0 == milestone { throw Crash() } }
                #expect(throws: Crash.self) { try home.open() }
                home.kill()
            }
            home.simulated.onReach(nil)
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .missing)
        }
    }
}

private struct KilledHere: Error {}
