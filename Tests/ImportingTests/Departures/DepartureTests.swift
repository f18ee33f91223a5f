import EngineSupport
import FoundationEssentials
import Glibc
import Importing
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// What becomes of an asset when its source goes (DESIGN section 5; RULES R32-R36).
@Suite struct DepartureTests {
    @Test(arguments: BenchDisk.allCases) func aDeletedSourceTrashesItsAsset(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            try bench.remove("in/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .trashed)
            #expect(try bench.source("in/0.jpg")?.departure?.evidence == .unlinkSeen)
            #expect(try bench.asset(of: "in/0.jpg")?.trashing?.reason == .sourceDeleted)
        }
    }

    @Test(arguments: BenchDisk.allCases) func whereTheRuleIsKeepTheAssetStays(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            try bench.write("two/a.jpg", SampleMedia.picture(50))
            try bench.flush()
            try bench.remove("two/a.jpg")
            try bench.flush()
            #expect(try state("two/a.jpg", bench) == .live)
            #expect(try bench.source("two/a.jpg")?.departure?.evidence == .unlinkSeen)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aRenameIsNoDeletion(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            let asset = try bench.asset(of: "in/0.jpg")?.localIdentifier
            try bench.rename("in/0.jpg", to: "two/0.jpg")
            try bench.flush()
            #expect(try bench.source("two/0.jpg")?.localIdentifier == asset)
            #expect(try state("two/0.jpg", bench) == .live)
            #expect(try bench.source("in/0.jpg") == nil)
            #expect(try trashedCount(bench) == 0)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aSourceOfTwoLeavesTheAssetLive(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            try bench.link("in/link.jpg", of: "in/0.jpg")
            try bench.flush()
            try bench.remove("in/0.jpg")
            try bench.flush()
            #expect(try state("in/link.jpg", bench) == .live)
            try bench.remove("in/link.jpg")
            try bench.flush()
            #expect(try state("in/link.jpg", bench) == .trashed)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aFileThatComesBackBringsItsAssetBack(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            let asset = try bench.asset(of: "in/0.jpg")?.localIdentifier
            try bench.makeDirectory("away")
            try bench.rename("in/0.jpg", to: "away/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .trashed)
            try bench.rename("away/0.jpg", to: "in/0.jpg")
            try bench.flush()
            let source = try #require(try bench.source("in/0.jpg"))
            #expect(source.localIdentifier == asset && source.outcome == .restored && source.departure == nil)
            #expect(try state("in/0.jpg", bench) == .live)
            #expect(try bench.albums(of: "in/0.jpg") == ["Inbox"])
        }
    }

    /// Nothing saw it go: two scans must miss it, a minute apart, and the second comes by itself.
    @Test(arguments: BenchDisk.allCases) func whatOnlyAScanMissesIsLookedForTwice(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            bench.end()
            try bench.program.unlink(bench.path("in/0.jpg").bytes)
            try bench.start()
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .live)
            try bench.scan()
            #expect(try state("in/0.jpg", bench) == .live)
            try bench.run(for: .seconds(70))
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .trashed)
            #expect(try bench.source("in/0.jpg")?.departure?.evidence == .missingOnScan)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aFolderWithoutItsMarkerSaysNothing(disk: BenchDisk) throws {
        try withMirror(disk, pictures: 3) { bench in
            try bench.program.unlink(bench.path("in/.albumd-folder").bytes)
            for number in 0..<3 { try bench.remove("in/\(number).jpg") }
            try bench.scan()
            try bench.run(for: .seconds(120))
            try bench.scan()
            #expect(try trashedCount(bench) == 0)
            #expect(try bench.source("in/0.jpg")?.departure == nil)
        }
    }

    /// M05 of CASES: no event tells of a mount over a folder.
    @Test(arguments: [true, false]) func aMountOverAFolderIsNoticed(byFlush: Bool) throws {
        try withMirror(pictures: 3) { bench in
            let (folder, away) = (bench.path("in"), bench.path("unmounted"))
            try bench.program.rename(folder.bytes, to: away.bytes)
            try bench.program.makeDirectory(folder.bytes)
            if byFlush {
                #expect(try bench.flush().offline == [folder])
            } else {
                try bench.run(for: .seconds(60))
            }
            guard case .offline? = bench.engine?.status.folders.first(where: { $0.rule.path == folder.bytes })?.standing
            else {
                Issue.record("the folder should be offline")
                return
            }
            try bench.run(for: .seconds(300))
            try bench.program.removeDirectory(folder.bytes)
            try bench.program.rename(away.bytes, to: folder.bytes)
            #expect(try bench.flush().offline == [])
            #expect(try trashedCount(bench) == 0)
            #expect(try bench.source("in/0.jpg")?.departure == nil)
        }
    }

    @Test func aFolderThatCouldNotBeMarkedNeverTrashes() throws {
        let bench = try EngineBench()
        try bench.addFolder("in", album: "Inbox") { $0.onSourceDeleted = .trash }
        try bench.start()
        bench.simulation.files.failNext(.create, EACCES)
        try bench.flush()
        #expect(bench.engine?.status.folders.first?.isMarked == false)
        try bench.write("in/0.jpg", SampleMedia.picture(0))
        try bench.flush()
        try bench.remove("in/0.jpg")
        try bench.flush()
        #expect(try state("in/0.jpg", bench) == .live)
        bench.end()
    }

    @Test(arguments: BenchDisk.allCases) func aDirectoryInTheFilesPlaceIsNotTheFile(disk: BenchDisk) throws {
        try withMirror(disk) { bench in
            try bench.remove("in/0.jpg")
            try bench.makeDirectory("in/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .trashed)
        }
    }

    /// RULES R32: a copy of the folder in its place has its marker, and is not the folder.
    @Test(arguments: BenchDisk.allCases) func anotherDirectoryWithTheMarkerTrashesNothing(disk: BenchDisk) throws {
        try withMirror(disk, pictures: 2) { bench in
            let (folder, old) = (bench.path("in"), bench.path("old"))
            let marker = try bench.program.read(bench.path("in/.albumd-folder").bytes)
            try bench.program.rename(folder.bytes, to: old.bytes)
            try bench.program.makeDirectory(folder.bytes)
            try bench.program.write(bench.path("in/.albumd-folder").bytes, marker)
            try bench.scan()
            try bench.run(for: .seconds(200))
            try bench.scan()
            #expect(try trashedCount(bench) == 0)
            #expect(try bench.source("in/0.jpg")?.departure == nil)
            #expect(bench.engine?.status.folders.first { $0.rule.path == folder.bytes }?.isOtherDirectory == true)
        }
    }

    @Test func aPersonsDeletionOfWhatItsFileTookAlongIsAPersons() throws {
        try withMirror { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.makeDirectory("away")
            try bench.rename("in/0.jpg", to: "away/0.jpg")
            try bench.flush()
            try bench.change { try $0.trash([asset], reason: .person) }
            try bench.rename("away/0.jpg", to: "in/0.jpg")
            try bench.flush()
            #expect(try bench.catalogue().asset(asset)?.state == .trashed)
        }
    }

    /// RULES R35: the same absence never trashes twice.
    @Test func aRestoredAssetIsNotTrashedByTheSameAbsence() throws {
        try withMirror { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.remove("in/0.jpg")
            try bench.flush()
            try bench.change { try $0.restore([asset]) }
            try bench.scan()
            try bench.run(for: .seconds(200))
            try bench.scan()
            #expect(try bench.catalogue().asset(asset)?.state == .live)
        }
    }

    @Test func aPersonsDeletionIsNotUndoneByTheSameFile() throws {
        try withMirror { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.change { try $0.trash([asset], reason: .person) }
            try bench.touch("in/0.jpg", modified: 5)
            try bench.flush()
            #expect(try bench.catalogue().asset(asset)?.state == .trashed)
            try bench.rename("in/0.jpg", to: "in/other.jpg")
            try bench.flush()
            #expect(try bench.catalogue().asset(asset)?.state == .trashed)
            #expect(try bench.source("in/other.jpg")?.localIdentifier == asset)
            try bench.library?.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            try bench.rename("in/other.jpg", to: "two/third.jpg")
            try bench.scan()
            #expect(try bench.catalogue().assetCount() == 0)
            #expect(try bench.source("two/third.jpg")?.reason == .deleted)
        }
    }

    /// RULES R36, I06, I07 of CASES.
    @Test(arguments: [false, true]) func theSameBytesAnewAreTakenAgain(isPurged: Bool) throws {
        try withMirror { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.change { try $0.trash([asset], reason: .person) }
            if isPurged { try bench.library?.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) } }
            try bench.write("in/anew.jpg", SampleMedia.picture(0))
            try bench.flush()
            let source = try #require(try bench.source("in/anew.jpg"))
            #expect(source.outcome == (isPurged ? .imported : .restored))
            #expect((source.localIdentifier == asset) == !isPurged)
            #expect(try state("in/anew.jpg", bench) == .live)
        }
    }

    /// RULES R36: to move it away and back is no other file.
    @Test(arguments: BenchDisk.allCases, ["in/0.jpg", "two/back.jpg"])
    func aPurgedPhotosFileIsNotTakenAgainWhenItComesBack(disk: BenchDisk, name: String) throws {
        try withMirror(disk, "purged \(name)") { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.change { try $0.trash([asset], reason: .person) }
            try bench.library?.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            try bench.makeDirectory("away")
            try bench.rename("in/0.jpg", to: "away/0.jpg")
            try bench.flush()
            try bench.scan()
            try bench.rename("away/0.jpg", to: name)
            try bench.scan()
            #expect(try bench.catalogue().assetCount() == 0)
            #expect(try bench.source(name)?.reason == .deleted)
        }
    }

    /// Nobody deleted it but with its file.
    @Test(arguments: ["in/0.jpg", "two/back.jpg"])
    func whatWasPurgedAfterItsFileHadGoneIsTakenAgainWithTheFile(name: String) throws {
        try withMirror { bench in
            let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
            try bench.makeDirectory("away")
            try bench.rename("in/0.jpg", to: "away/0.jpg")
            try bench.flush()
            try bench.library?.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            try bench.rename("away/0.jpg", to: name)
            try bench.flush()
            #expect(try state(name, bench) == .live)
        }
    }
}
