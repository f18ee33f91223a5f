import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport
import Testing

/// A catalogue that is lost comes back, with every identifier, whenever the power goes meanwhile (RULES R49).
@Suite struct RebuildTests {
    private struct Crash: Error {}
    private static let catalogue = Array("/library/catalogue.sqlite".utf8)
    private static let milestones: [Milestone] = [.catalogueRebuilt, .catalogueSetAside, .catalogueReplaced]

    private func fill(_ home: SimulatedLibrary) throws {
        let library = try home.open()
        try library.inside { library throws in
            try library.perform(Sample.registration(), Sample.album(100), Sample.album(101, "Best"))
            try library.importAssets(["a", "b", "c", "d"])
            try library.perform(
                Sample.source("a.jpg", 1), Sample.source("b.jpg", 2), Sample.source("c.jpg", 3),
                Sample.adding(4, 2, 1, to: 100, by: .folder), Sample.adding(3, 1, to: 101, by: .person),
                Sample.removing(2, from: 100, by: .person),
                .bindExternal(ExternalBinding(externalIdentifier: "phone:1", localIdentifier: Sample.identifier(3))))
            _ = try library.performChanges(origin: "test") { change in
                try change.trash([Sample.identifier(2), Sample.identifier(4)], reason: .person)
            }
            try library.purge([Sample.identifier(4)], origin: "test", reason: .person)
        }
    }

    private func snapshot(_ home: SimulatedLibrary, _ library: PhotoLibrary) throws {
        let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
        defer { reader.close() }
        #expect(try library.directory.keepSnapshots(of: reader, machine: home.simulated.machine))
    }

    /// So that the journal alone is not enough.
    private func loseFirstLine(_ home: SimulatedLibrary) throws {
        let path = Array("/library/journal/\(try #require(try home.names("journal").first))".utf8)
        let lines = try home.program.read(path).split(separator: UInt8(ascii: "\n")).dropFirst()
        try home.program.write(path, lines.flatMap { $0 + [UInt8(ascii: "\n")] })
    }

    /// As if somebody had removed the file.
    private func removeCatalogue(_ home: SimulatedLibrary) throws {
        try home.program.unlink(Self.catalogue)
        home.disk.unlink("/library/catalogue.sqlite")
    }

    private func rows(_ home: SimulatedLibrary) throws -> [String] { try home.dump(except: ["decision", "clock"]) }

    @Test func aRemovedCatalogueComesBackFromTheJournal() throws {
        try withSimulatedLibrary { home in
            try fill(home)
            try home.catchUp()
            home.close()
            let before = try rows(home)
            try removeCatalogue(home)
            let report = try home.open().onThread { $0.recovery.rebuilt }
            #expect(report?.setAside == nil && report?.snapshot == nil)
            #expect(report?.contents.tombstones == 1 && report?.contents.assets == 2)
            home.close()
            #expect(try rows(home) == before)
        }
    }

    /// A change whose line is half is nowhere else once the catalogue is gone: that is said.
    @Test(arguments: [true, false]) func aJournalThatEndsInHalfALineIsSaid(isAtEnd: Bool) throws {
        try withSimulatedLibrary("torn-\(isAtEnd)") { home in
            try fill(home)
            try home.catchUp()
            home.close()
            let month = Array("/library/journal/\(try #require(try home.names("journal").first))".utf8)
            var lines = try home.program.read(month).split(separator: UInt8(ascii: "\n")).map { Array($0) }
            let last = lines.removeLast()
            // Where a crash left half a line, the whole one follows.
            let half = Array(last.prefix(last.count / 2))
            lines += isAtEnd ? [half] : [half, last]
            try home.program.write(month, Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")])
            try removeCatalogue(home)
            let report = try #require(try home.open().onThread { $0.recovery.rebuilt })
            #expect(report.isTorn == isAtEnd)
            #expect(report.sentence.contains("half a line") == isAtEnd)
        }
    }

    /// The photo that a half line named, or one that is not there: no start forgets it before a person has kept it, or
    /// given it up.
    @Test(arguments: [true, false], [true, false])
    func whatALostLineNamedIsRememberedUntilNoOrphanIsLeft(isKept: Bool, isHalf: Bool) throws {
        try withSimulatedLibrary("remembered-\(isKept)-\(isHalf)") { home in
            try fill(home)
            try home.library().inside { library throws in try library.importAssets(["torn away"], first: 9) }
            try home.catchUp()
            home.close()
            let month = Array("/library/journal/\(try #require(try home.names("journal").first))".utf8)
            let lines = try home.program.read(month)
            let whole = lines.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { lines.prefix(through: $0) }
            try home.program.write(month, Array(isHalf ? lines.dropLast(40) : try #require(whole)))
            try removeCatalogue(home)
            for start in 0..<3 {
                let library = try home.open()
                #expect(library.onThread { $0.recovery.orphanFiles.count } == 1)
                #expect(try library.directory.isRebuiltWithOrphans(files: home.files), "start \(start)")
                try home.catchUp()
                home.close()
            }
            let library = try home.open()
            let orphan = try #require(library.onThread { $0.recovery.orphanFiles.first })
            try library.inside { library throws in
                if isKept {
                    _ = try library.importAssets(["torn away"], first: 9)
                } else {
                    _ = try library.discard(orphan)
                }
            }
            home.close()
            #expect(try !home.open().directory.isRebuiltWithOrphans(files: home.files))
        }
    }

    /// Of a journal that has every change each line says whether it is what was written; a snapshot may have rotted.
    @Test(arguments: [true, false]) func snapshotAndJournalTogetherGiveItBack(isJournalWhole: Bool) throws {
        try withSimulatedLibrary("whole \(isJournalWhole)") { home in
            try fill(home)
            let library = try home.library()
            try snapshot(home, library)
            try library.inside { library throws in try library.perform(Sample.album(102, "Later")) }
            try home.catchUp()
            home.close()
            let before = try rows(home)
            try removeCatalogue(home)
            if !isJournalWhole { try loseFirstLine(home) }
            let report = try home.open().onThread { $0.recovery.rebuilt }
            #expect((report?.snapshot == nil) == isJournalWhole && (report?.lineCount == 1) != isJournalWhole)
            home.close()
            #expect(try rows(home) == before)
        }
    }

    @Test(arguments: milestones, 1...4 as ClosedRange<UInt64>)
    func aPowerCutWhileItIsRebuiltIsMadeGoodByTheNextStart(milestone: Milestone, seed: UInt64) throws {
        try withSimulatedLibrary(milestone.rawValue, seed: seed) { home in
            try fill(home)
            if seed.isMultiple(of: 2) { try snapshot(home, try home.library()) }
            try home.catchUp()
            home.close()
            let before = try rows(home)
            try removeCatalogue(home)
            let (files, disk) = (home.files, home.disk)
            home.simulated.onReach { reached in
                guard reached == milestone else { return }
                files.cutPower(.seeded)
                disk.cutPower(seed: seed)
                throw Crash()
            }
            #expect(throws: Crash.self) { try home.open() }
            home.simulated.onReach(nil)
            home.close()
            home.files.restart()
            _ = try home.open()
            home.close()
            #expect(try rows(home) == before)
        }
    }

    @Test func anOriginalThatIsGoneMeanwhileIsMissingAndOneThatNoRowNamesIsAnOrphan() throws {
        try withSimulatedLibrary { home in
            try fill(home)
            try home.catchUp()
            let library = try home.library()
            try library.inside { library throws in _ = try library.importAssets(["unjournaled"], first: 50) }
            home.close()
            let hash = try Sample.content("a").hash.hexadecimal
            try home.program.unlink(Array("/library/originals/\(hash.prefix(2))/\(hash).jpg".utf8))
            try removeCatalogue(home)
            let reopened = try home.open()
            #expect(try reopened.onThread { try $0.condition(of: "a") } == .missing)
            #expect(reopened.onThread { $0.recovery.orphans } == [try Sample.content("unjournaled").hash])
        }
    }

    @Test func aGapInTheJournalIsRefusedAndNamesTheCommandThatGivesItUp() throws {
        try withSimulatedLibrary { home in
            try fill(home)
            try home.catchUp()
            home.close()
            let path = Array("/library/journal/2023-11.ndjson".utf8)
            let lines = try home.program.read(path).split(separator: UInt8(ascii: "\n"))
            try home.program.write(path, Array((lines[..<1] + lines[2...]).joined(separator: [0x0A])) + [0x0A])
            try removeCatalogue(home)
            #expect { try home.open() } throws: { "\($0)".contains("library rebuild --partial") }
            home.close()
            var options = PhotoLibrary.RebuildOptions()
            options.isPartial = true
            let outcome = try PhotoLibrary.rebuild(
                home.path, machine: home.simulated.machine, options: options, vfs: home.disk.name,
                progress: { _, _ in })
            let (plan, report) = (outcome.plan, outcome.report)
            #expect(plan.missingTokens == 1 && report.contents.albums == 2 && report.contents.assets == 0)
            #expect(outcome.recovery.orphans.count == 3)
            let library = try home.open()
            #expect(try library.onThread { try $0.perform(Sample.album(120)) } == plan.newestToken + 1)
        }
    }

    @Test func aDryRunChangesNothing() throws {
        try withSimulatedLibrary { home in
            try fill(home)
            try home.catchUp()
            home.close()
            try removeCatalogue(home)
            var options = PhotoLibrary.RebuildOptions()
            options.isDryRun = true
            let answer = try PhotoLibrary.rebuild(
                home.path, machine: home.simulated.machine, options: options, vfs: home.disk.name,
                progress: { _, _ in })
            #expect(answer.isDryRun && answer.refusal == nil && answer.plan.isComplete && answer.plan.lineCount == 5)
            #expect(answer.report.contents.assets == 2 && answer.report.contents.tombstones == 1)
            #expect(try home.names("").allSatisfy { !$0.contains("rebuilt") })
            #expect(home.disk.contents(of: "/library/catalogue.sqlite") == nil)
        }
    }

    @Test func noSnapshotIsMadeOnADiskBelowItsReserve() throws {
        try withSimulatedLibrary { home in
            try fill(home)
            home.files.configure { $0.capacity = 3 << 20 }
            let library = try home.library()
            let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            defer { reader.close() }
            try home.program.write(Array("/filler".utf8), [UInt8](repeating: 1, count: 2_080_000))
            #expect(try !library.directory.keepSnapshots(of: reader, machine: home.simulated.machine))
            #expect(try home.names("snapshots") == [])
        }
    }

    @Test(arguments: 0..<12)
    func aCrashAnywhereInASnapshotLeavesNoneOrAWholeOne(operations: Int) throws {
        try withSimulatedLibrary("snapshot \(operations)") { home in
            try fill(home)
            let library = try home.library()
            let reader = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            home.disk.stop(after: operations * 3)
            _ = try? library.directory.keepSnapshots(of: reader, machine: home.simulated.machine)
            reader.close()
            home.cutPower()
            home.disk.stop(after: nil)
            let again = try home.open()
            try home.catchUp()
            let other = try Catalogue.openForReading(at: "/library/catalogue.sqlite", vfs: home.disk.name)
            try again.directory.keepSnapshots(of: other, machine: home.simulated.machine)
            other.close()
            home.close()
            let before = try rows(home)
            let names = try home.names("snapshots").filter { $0.hasSuffix(".sqlite") }
            #expect(names.count == 1)
            try removeCatalogue(home)
            try loseFirstLine(home)
            #expect(try home.open().onThread { $0.recovery.rebuilt?.snapshot } == names.first)
            home.close()
            #expect(try rows(home) == before)
        }
    }
}
