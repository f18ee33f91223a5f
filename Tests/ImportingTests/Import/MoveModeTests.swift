import EngineSupport
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// A source goes only after its original was proven, and only if it is still what was imported (RULES R4, R15).
@Suite struct MoveModeTests {
    private func withBench(
        _ disk: BenchDisk = .simulated, _ test: String = #function, _ body: (EngineBench) throws -> Void
    ) throws {
        try disk.withBench(test, rules: { try $0.addFolder("in", album: "Inbox") { $0.mode = .move } }, body)
    }

    private func isThere(_ name: String, _ bench: EngineBench) -> Bool {
        (try? bench.program.read(bench.path(name).bytes)) != nil
    }

    /// What is written through the open directory is nobody's library any more.
    @Test(arguments: ["originals", "staging", ""]) func nothingIsRemovedForALibraryThatWasMovedAway(name: String) throws
    {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let moved = bench.libraryPath + (name.isEmpty ? [] : Array("/\(name)".utf8))
            try bench.program.rename(moved, to: bench.path("away").bytes)
            try bench.write("in/b.jpg", SampleMedia.picture(2))
            #expect(throws: LibraryError.self) { try bench.run(for: .seconds(60)) }
            #expect(isThere("in/b.jpg", bench))
            try bench.program.rename(bench.path("away").bytes, to: moved)
            try bench.restart()
            try bench.flush()
            #expect(!isThere("in/b.jpg", bench))
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test(arguments: BenchDisk.allCases) func anImportedSourceIsRemoved(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(!isThere("in/a.jpg", bench))
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(source.isRemoved && source.outcome == .imported)
            #expect(try bench.catalogue().assetCount() == 1)
        }
    }

    /// RULES R15: it stays, somebody is told, and it goes when it can.
    @Test(arguments: [
        (EROFS, Reason.folderReadOnly, "Read-only"), (EACCES, .permission, "denied"), (EPERM, .permission, "chattr -i"),
    ])
    func aSourceThatCannotBeRemovedWaitsAndSaysWhy(code: Int32, reason: Reason, word: String) throws {
        try withBench { bench in
            for _ in 0..<2 { bench.simulation.files.failNext(.unlink, code) }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            let report = try bench.flush()
            #expect(report.waiting == [reason: 1])
            let key = try #require(try bench.key("in/a.jpg"))
            #expect(bench.board[key]?.detail?.contains("cannot be removed") == true)
            #expect(bench.board[key]?.detail?.contains(word) == true)
            #expect(isThere("in/a.jpg", bench))
            try bench.run(for: .seconds(120))
            #expect(!isThere("in/a.jpg", bench))
            #expect(try bench.source("in/a.jpg")?.isRemoved == true)
        }
    }

    /// No lease tells that a recorder still has its file open: what it writes later must find the file (RULES R16d).
    @Test func withoutLeasesWhatWasNotClosedIsRemovedOnlyAfterALongRest() throws {
        try withBench { bench in
            bench.simulation.files.configure { $0.hasLeases = false }
            let path = bench.path("in/a.jpg")
            for part in 1...3 {
                try bench.write(path, SampleMedia.picture(part), isClosed: false)
                try bench.run(for: .seconds(240))
                #expect(isThere("in/a.jpg", bench))
                let asset = try #require(try bench.asset(of: "in/a.jpg"))
                let hashes = asset.resources.flatMap(\.versions).map(\.content.hash)
                #expect(hashes == (1...part).map { SampleMedia.hash(SampleMedia.picture($0)) })
            }
            let key = try #require(try bench.key("in/a.jpg"))
            #expect(bench.board[key]?.reason == .writerPresent)
            #expect(bench.board[key]?.detail?.contains("imported") == true)
            #expect(try bench.flush().waiting == [.writerPresent: 1])
            try bench.run(for: .seconds(600))
            #expect(!isThere("in/a.jpg", bench))
            #expect(bench.board.candidates().isEmpty)
        }
    }

    @Test func withoutLeasesAScanThatFindsAFileWaitsTheSameRest() throws {
        try withBench { bench in
            bench.simulation.files.configure { $0.hasLeases = false }
            try bench.program.write(bench.path("in/a.jpg").bytes, SampleMedia.picture(1))
            try bench.scan()
            try bench.run(for: .seconds(300))
            try bench.scan()
            #expect(isThere("in/a.jpg", bench))
            try bench.run(for: .seconds(310))
            #expect(!isThere("in/a.jpg", bench))
        }
    }

    /// Somebody closed or renamed it: another may still write to it.
    @Test func withoutLeasesWhatWasClosedOrRenamedWaitsAsWell() throws {
        try withBench { bench in
            bench.simulation.files.configure { $0.hasLeases = false }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.write("in/b.part", SampleMedia.picture(2))
            try bench.rename("in/b.part", to: "in/b.jpg")
            try bench.run(for: .seconds(300))
            #expect(isThere("in/a.jpg", bench) && isThere("in/b.jpg", bench))
            try bench.run(for: .seconds(320))
            #expect(!isThere("in/a.jpg", bench) && !isThere("in/b.jpg", bench))
        }
    }

    /// Its original left the disk while it waited: what the cloud has is not corrupt, and the file brings it back.
    @Test func aSourceWhoseOriginalIsInTheCloudIsProvenByItsOwnBytes() throws {
        try withBench { bench in
            bench.simulation.files.failNext(.unlink, EROFS)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let content = try #require(try bench.catalogue().contents(after: nil, limit: 1).first).content
            let now = bench.machine.now()
            let copy = CloudCopy(key: "a", versionID: nil, uploadedDate: now, verifiedDate: now)
            for residency in [Residency.both, .inCloud] {
                try bench.perform(
                    .setResidency(ResidencyChange(hash: content.hash, residency: residency, copy: copy)))
            }
            try bench.program.unlink(bench.libraryPath + [UInt8(ascii: "/")] + content.path.bytes)
            try bench.run(for: .seconds(120))
            #expect(!isThere("in/a.jpg", bench))
            let version = try #require(try bench.catalogue().version(of: content.hash))
            #expect(version.residency == .both && version.condition == .sound)
            let changes = try bench.catalogue().history(after: 0, limit: .max).map(\.changes)
            #expect(!changes.contains { $0.contains("setCondition") })
        }
    }

    @Test func aSourceWhoseRightsAreMendedGoesWithoutAnotherCopy() throws {
        try withBench { bench in
            bench.simulation.files.failNext(.unlink, EROFS)
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            let source = try #require(try bench.source("in/a.jpg"))
            #expect(!source.isRemoved)
            let created = bench.simulation.files.callCount(.create)
            try bench.touch("in/a.jpg", modified: try #require(source.evidence?.modified))
            try bench.flush()
            #expect(!isThere("in/a.jpg", bench))
            #expect(try bench.source("in/a.jpg")?.isRemoved == true)
            #expect(bench.simulation.files.callCount(.create) == created)
        }
    }

    @Test func aDuplicateIsRemovedToo() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            try bench.write("in/b.jpg", SampleMedia.picture(1))
            try bench.flush()
            #expect(!isThere("in/b.jpg", bench))
            #expect(try bench.source("in/b.jpg")?.outcome == .duplicate)
        }
    }

    @Test func theSameNameAgainIsImportedAgain() throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.flush()
            bench.noteRemoval(of: bench.path("in/a.jpg"))
            try bench.write("in/a.jpg", SampleMedia.picture(2))
            try bench.flush()
            #expect(!isThere("in/a.jpg", bench))
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test func whatIsNoPictureStays() throws {
        try withBench { bench in
            try bench.write("in/list.txt", SampleMedia.text(1))
            try bench.flush()
            #expect(isThere("in/list.txt", bench))
        }
    }

    @Test func aSourceThatChangedAfterItsImportStaysAndIsImportedAgain() throws {
        try withBench { bench in
            bench.meddle(at: .afterCatalogueCommit) { program in
                try program.write(Array("/in/a.jpg".utf8), SampleMedia.picture(2))
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(3))
            #expect(isThere("in/a.jpg", bench))
            try bench.run(for: .seconds(20))
            #expect(!isThere("in/a.jpg", bench))
            let asset = try #require(try bench.asset(of: "in/a.jpg"))
            let hashes = asset.resources.flatMap(\.versions).map(\.content.hash)
            #expect(hashes == [1, 2].map { SampleMedia.hash(SampleMedia.picture($0)) })
        }
    }

    @Test func aSourceThatIsReplacedAtTheLastMomentStays() throws {
        try withBench { bench in
            try bench.write("in/x.part", SampleMedia.picture(2))
            bench.meddle(at: .beforeSourceRemoval) { program in
                try program.rename(Array("/in/x.part".utf8), to: Array("/in/a.jpg".utf8))
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(3))
            #expect(isThere("in/a.jpg", bench))
            try bench.run(for: .seconds(20))
            #expect(try bench.catalogue().assetCount() == 2)
        }
    }

    @Test func aSourceThatSomebodyHasOpenStays() throws {
        try withBench { bench in
            bench.meddle(at: .afterCatalogueCommit) { program in
                _ = try program.openWriter(Array("/in/a.jpg".utf8))
            }
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(60))
            #expect(isThere("in/a.jpg", bench))
            #expect(try bench.source("in/a.jpg")?.isRemoved == false)
        }
    }

    @Test(arguments: [Milestone.afterCatalogueCommit, .beforeSourceRemoval, .afterSourceRemoval], CrashKind.allCases)
    func aCrashAroundTheRemovalEndsWithTheAssetAndWithoutTheSource(milestone: Milestone, kind: CrashKind) throws {
        try withBench { bench in
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            bench.crashes.arm(kind, at: milestone)
            #expect(throws: SimulatedCrash.self) { try bench.run(for: .seconds(10)) }
            try bench.restart()
            try bench.scan()
            #expect(!isThere("in/a.jpg", bench))
            #expect(try bench.catalogue().assetCount() == 1)
            #expect(try bench.asset(of: "in/a.jpg")?.resources.first?.versions.first?.condition == .sound)
        }
    }
    /// RULES R8: what an orderly stop vouched for is no proof yet.
    @Test(arguments: BenchDisk.allCases) func noSourceIsRemovedBeforeTheCatalogueIsChecked(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            bench.end(inOrder: true)
            try bench.start()
            let inspection = try #require(bench.library?.inspection)
            try #require(!inspection.hasPassed)
            inspection.end()
            try bench.write("in/a.jpg", SampleMedia.picture(1))
            try bench.run(for: .seconds(10))
            #expect(isThere("in/a.jpg", bench))
            #expect(try bench.source("in/a.jpg")?.outcome == .imported)
            bench.end(inOrder: true)
            try bench.start()
            let library = try #require(bench.library)
            try library.inspect(vfs: bench.vfsName)
            try bench.scan()
            #expect(!isThere("in/a.jpg", bench))
            #expect(try bench.source("in/a.jpg")?.isRemoved == true)
        }
    }
}
