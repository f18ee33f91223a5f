import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// Data first, reference last (RULES R1, R5, R10).
@Suite struct PublishTests {
    /// The path of an original on the simulated disk.
    private func original(_ text: String, fileExtension: String = "jpg") throws -> [UInt8] {
        let hash = try Sample.content(text).hash.hexadecimal
        return Array("/library/originals/\(hash.prefix(2))/\(hash).\(fileExtension)".utf8)
    }

    /// Makes the directory of an original, as a crash in between leaves it.
    private func makeShard(of text: String, in home: SimulatedLibrary) throws {
        let path = try original(text)
        try home.program.makeDirectory(Array(path.prefix(21)))
    }

    private func counts(_ home: SimulatedLibrary) -> (syncs: Int, wholes: Int) {
        (home.files.callCount(.sync), home.files.callCount(.syncFileSystem))
    }

    @Test func anOriginalIsNamedByItsHashAndCannotBeWritten() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
                let content = try Sample.content("a")
                #expect(try library.directory.originals.isSound(content))
                let file = try library.directory.originals.open(content)
                #expect(try library.machine.files.status(of: file).mode == 0o400)
            }
            #expect(try home.program.read(original("a")) == Array("a".utf8))
            #expect(try home.names("staging") == [])
        }
    }

    @Test func aFewFilesAreSyncedOneByOneWithTheirDirectories() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            // With ballast and first directory made, nothing else is synced.
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            try makeShard(of: "b", in: home)
            let before = counts(home)
            try library.inside { library throws in _ = try library.importAssets(["b"], first: 2) }
            #expect(counts(home).syncs - before.syncs == 2)
            #expect(counts(home).wholes == before.wholes)
        }
    }

    @Test func manyFilesAreSyncedAtOnceWhereTheFileSystemSaysItsErrors() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            let before = counts(home)
            try library.inside { library throws in _ = try library.importAssets((1...20).map { "photo \($0)" }) }
            #expect(counts(home).wholes - before.wholes == 1)
            // The directory `originals`, for the new ones in it.
            #expect(counts(home).syncs - before.syncs == 1)
        }
    }

    @Test func manyFilesAreSyncedOneByOneWhereItDoesNot() throws {
        try withSimulatedLibrary { home in
            home.files.configure { $0.syncsWhole = false }
            let library = try home.open()
            let before = counts(home)
            try library.inside { library throws in _ = try library.importAssets((1...20).map { "photo \($0)" }) }
            #expect(counts(home).wholes == before.wholes)
            #expect(counts(home).syncs - before.syncs >= 21)
        }
    }

    @Test(arguments: [1, 8, 9, 20])
    func whatWasAcknowledgedSurvivesAPowerCut(count: Int) throws {
        try withSimulatedLibrary("power \(count)") { home in
            let texts = (1...count).map { "photo \($0)" }
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(texts) }
            home.cutPower()
            let reopened = try home.open()
            try reopened.inside { library throws in
                #expect(library.recovery.newlyMissing == 0)
                for text in texts {
                    #expect(try library.directory.originals.isSound(try Sample.content(text)))
                }
                #expect(try library.read { try $0.assetCount() } == count)
            }
        }
    }

    @Test func aDirectoryThatACrashLeftUnsyncedIsDurableBeforeItIsUsed() throws {
        try withSimulatedLibrary { home in
            _ = try home.open()
            home.files.configure { $0.otherProgramsSync = false }
            try makeShard(of: "a", in: home)
            home.kill()
            let restarted = try home.open()
            try restarted.inside { library throws in _ = try library.importAssets(["a"]) }
            home.cutPower()
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .sound)
            #expect(reopened.onThread { $0.recovery.newlyMissing } == 0)
        }
    }

    @Test(arguments: [1, 20])
    func aFailedSyncRemovesTheNamesAndCommitsNothing(count: Int) throws {
        try withSimulatedLibrary("failed \(count)") { home in
            let library = try home.open()
            let before = try home.dump()
            // The first sync is of the directory with the new names.
            if count > 8 {
                home.files.failNext(.syncFileSystem, EIO)
            } else {
                home.files.failNext(.sync, EIO, skipping: 1)
            }
            try library.inside { library throws in
                #expect(throws: FileError.self) { try library.importAssets((1...count).map { "photo \($0)" }) }
                let isReadOnly = library.isReadOnly
                #expect(!isReadOnly)
            }
            #expect(try home.dump() == before)
            for shard in try home.names("originals") {
                #expect(try home.names("originals/\(shard)") == [])
            }
        }
    }

    @Test func aSecondFailedSyncEndsImportsAndKeepsServing() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try makeShard(of: "a", in: home)
            for _ in 1...2 {
                home.files.failNext(.sync, EIO)
                try library.inside { library throws in
                    #expect(throws: FileError.self) { try library.importAssets(["a"]) }
                }
            }
            try library.inside { library throws in
                #expect(throws: LibraryError.self) { try library.importAssets(["b"]) }
                #expect(try library.perform(Sample.album(1)) != nil)
            }
        }
    }

    @Test func aFullDiskDoesNotMakeTheLibraryReadOnly() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            for _ in 1...3 {
                home.files.failNext(.sync, ENOSPC)
                try library.inside { library throws in
                    #expect(throws: FileError.self) { try library.importAssets(["a"]) }
                }
            }
            try library.inside { library throws in
                let isReadOnly = library.isReadOnly
                #expect(!isReadOnly)
                _ = try library.importAssets(["a"])
            }
        }
    }

    @Test func anOrphanWithItsHashIsAdopted() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try makeShard(of: "a", in: home)
            try home.program.write(original("a"), Array("a".utf8))
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            #expect(try home.names("set-aside") == [])
            #expect(try home.names("staging") == [])
            try library.inside { library throws in
                let (originals, content) = (library.directory.originals, try Sample.content("a"))
                #expect(try originals.isSound(content))
                #expect(try originals.machine.files.status(of: originals.open(content)).mode & 0o7777 == 0o400)
            }
        }
    }

    @Test func aTornOrphanIsSetAsideAndNotDeleted() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try makeShard(of: "a", in: home)
            try home.program.write(original("a"), Array("torn".utf8))
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            let aside = try #require(try home.names("set-aside").first)
            #expect(try home.program.read(Array("/library/set-aside/\(aside)".utf8)) == Array("torn".utf8))
            #expect(try home.program.read(original("a")) == Array("a".utf8))
        }
    }

    /// The next sync of the same file would succeed although its bytes never reached the disk.
    @Test func anOrphanWhoseSyncFailedIsNotAdoptedAgain() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try makeShard(of: "a", in: home)
            home.files.configure { $0.otherProgramsSync = false }
            try home.program.write(original("a"), Array("a".utf8))
            home.files.failNext(.sync, EIO)
            try library.inside { library throws in
                #expect(throws: FileError.self) { try library.importAssets(["a"]) }
            }
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            home.cutPower()
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.directory.originals.isSound(try Sample.content("a")) })
        }
    }

    @Test func aDuplicateIsNotPublishedAgain() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                try library.importAssets(["a"])
            }
            let renames = home.files.callCount(.rename)
            try library.inside { library throws in
                let twice = [try library.stage("a"), try library.stage("a")]
                _ = try library.publish(twice, origin: "import") { _ in }
            }
            #expect(home.files.callCount(.rename) == renames)
            #expect(try home.names("staging") == [])
        }
    }

    @Test func oneContentTwiceInABatchIsStoredOnce() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                let twice = [try library.stage("a"), try library.stage("a")]
                _ = try library.publish(twice, origin: "import") { try $0.perform(Sample.asset(1, twice[0].content)) }
                #expect(try library.directory.originals.isSound(twice[0].content))
            }
            #expect(try home.names("staging") == [])
        }
    }

    @Test(arguments: ["gone", "torn"])
    func anUnsoundOriginalIsPublishedAgainUnderTheNameItsRowHas(fault: String) throws {
        try withSimulatedLibrary(fault) { home in
            let library = try home.open()
            try library.inside { library throws in _ = try library.importAssets(["a"]) }
            let damaged: Condition = fault == "gone" ? .missing : .corrupt
            if fault == "gone" {
                try home.program.unlink(original("a"))
            } else {
                try home.program.write(original("a"), [0])
            }
            try library.inside { library throws in
                let hash = try Sample.content("a").hash
                try library.perform(.setCondition(ConditionChange(hash: hash, condition: damaged)))
                let again = try library.stage("a", fileExtension: "jpeg")
                _ = try library.publish([again], origin: "import") { _ in }
                #expect(try library.condition(of: "a") == .sound)
                #expect(try library.directory.originals.isSound(try Sample.content("a")))
            }
            #expect(try home.program.read(original("a")) == Array("a".utf8))
        }
    }

    @Test func stagedBytesThatNobodyPublishesRemoveThemselves() throws {
        try withSimulatedLibrary { home in
            let library = try home.open()
            try library.inside { library throws in
                _ = try library.stage("a")
                let discarded = try library.stage("b")
                discarded.staged.discard()
            }
            #expect(try home.names("staging") == [])
        }
    }

    @Test func aBatchWhoseChangeIsRefusedLeavesOrphansAndNoRows() throws {
        try withSimulatedLibrary { home in
            struct Refusal: Error {}
            let library = try home.open()
            try library.inside { library throws in
                let item = try library.stage("a")
                #expect(throws: Refusal.self) {
                    try library.publish([item], origin: "import") { change in
                        try change.perform(Sample.asset(1, item.content))
                        throw Refusal()
                    }
                }
                #expect(try library.condition(of: "a") == nil)
                #expect(try library.recover().orphans == [item.content.hash])
            }
        }
    }
}
