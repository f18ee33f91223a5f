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
    /// `in` mirrors deletions, `two` keeps.
    private func withBench(
        _ disk: BenchDisk = .simulated, _ test: String = #function, pictures: Int = 1,
        _ body: (EngineBench) throws -> Void
    ) throws {
        let rules = { (bench: EngineBench) in
            try bench.addFolder("in", album: "Inbox") { $0.onSourceDeleted = .trash }
            try bench.addFolder("two", album: "Two")
        }
        try disk.withBench(test, rules: rules) { bench in
            for number in 0..<pictures { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
            try bench.flush()
            try body(bench)
        }
    }

    private func state(_ name: String, _ bench: EngineBench) throws -> AssetState? { try bench.asset(of: name)?.state }

    private func trashedCount(_ bench: EngineBench) throws -> Int { try bench.catalogue().trashedCount() }

    @Test(arguments: BenchDisk.allCases) func aDeletedSourceTrashesItsAsset(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            try bench.remove("in/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .trashed)
            #expect(try bench.source("in/0.jpg")?.departure?.evidence == .unlinkSeen)
            #expect(try bench.asset(of: "in/0.jpg")?.trashing?.reason == .sourceDeleted)
        }
    }

    @Test(arguments: BenchDisk.allCases) func whereTheRuleIsKeepTheAssetStays(disk: BenchDisk) throws {
        try withBench(disk) { bench in
            try bench.write("two/a.jpg", SampleMedia.picture(50))
            try bench.flush()
            try bench.remove("two/a.jpg")
            try bench.flush()
            #expect(try state("two/a.jpg", bench) == .live)
            #expect(try bench.source("two/a.jpg")?.departure?.evidence == .unlinkSeen)
        }
    }

    @Test(arguments: BenchDisk.allCases) func aRenameIsNoDeletion(disk: BenchDisk) throws {
        try withBench(disk) { bench in
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
        try withBench(disk) { bench in
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
        try withBench(disk) { bench in
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
        try withBench(disk) { bench in
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
        try withBench(disk, pictures: 3) { bench in
            try bench.program.unlink(bench.path("in/.albumd-folder").bytes)
            for number in 0..<3 { try bench.remove("in/\(number).jpg") }
            try bench.scan()
            try bench.run(for: .seconds(120))
            try bench.scan()
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

    @Test(arguments: BenchDisk.allCases) func manyAtOnceWaitForAPerson(disk: BenchDisk) throws {
        try withBench(disk, pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            #expect(try trashedCount(bench) == 0)
            let held = try #require(bench.engine?.status.heldDeletions.first)
            #expect(held.evidence.count == 25)
            #expect(try confirm("wrong", bench) == .failure(.noSuchToken))
            #expect(try confirm(held.token, bench) == .success(25))
            #expect(try trashedCount(bench) == 25)
            #expect(bench.engine?.status.heldDeletions == [])
        }
    }

    /// RULES I15: many small deletions within an hour are a mass deletion, too.
    @Test func fewAtATimeAreCountedTogether() throws {
        try withBench(pictures: 30) { bench in
            for number in 0..<15 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            #expect(try trashedCount(bench) == 15)
            for number in 15..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            #expect(try trashedCount(bench) == 15)
            #expect(bench.engine?.status.heldDeletions.first?.evidence.count == 10)
        }
    }

    @Test func whatComesBackLeavesTheListAndChangesTheToken() throws {
        try withBench(pictures: 30) { bench in
            try bench.makeDirectory("away")
            for number in 0..<25 { try bench.rename("in/\(number).jpg", to: "away/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            for number in 0..<3 { try bench.rename("away/\(number).jpg", to: "in/\(number).jpg") }
            try bench.flush()
            let answer = try confirm(held.token, bench)
            #expect(answer == .failure(.noSuchToken))
            let rest = try #require(bench.engine?.status.heldDeletions.first)
            #expect(rest.evidence.count == 22)
            #expect(try confirm(rest.token, bench) == .success(22))
            #expect(try state("in/0.jpg", bench) == .live)
        }
    }

    @Test func anOldTokenIsNotTaken() throws {
        try withBench(pictures: 30) { bench in
            for number in 0..<25 { try bench.remove("in/\(number).jpg") }
            try bench.flush()
            let held = try #require(bench.engine?.status.heldDeletions.first)
            try bench.run(for: .seconds(25 * 3600))
            guard case .failure(.tokenExpired(let token)) = try confirm(held.token, bench) else {
                Issue.record("the token should be too old")
                return
            }
            #expect(try trashedCount(bench) == 0)
            #expect(try confirm(token, bench) == .success(25))
        }
    }

    @Test func aReleasedSourceTakesNothingWithIt() throws {
        try withBench { bench in
            var source = try #require(try bench.source("in/0.jpg"))
            source.isReleased = true
            try bench.perform(.recordSource(source))
            try bench.remove("in/0.jpg")
            try bench.flush()
            #expect(try state("in/0.jpg", bench) == .live)
            #expect(try bench.source("in/0.jpg")?.departure != nil)
        }
    }

    /// RULES R35: the same absence never trashes twice.
    @Test func aRestoredAssetIsNotTrashedByTheSameAbsence() throws {
        try withBench { bench in
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
        try withBench { bench in
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
        try withBench { bench in
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

    @Test func theSourceOfADeletedAssetIsRemovedWhereTheRuleSaysSo() throws {
        let bench = try EngineBench()
        try bench.addFolder("in", album: "Inbox") { $0.onAssetDeleted = .remove }
        try bench.start()
        try bench.write("in/0.jpg", SampleMedia.picture(0))
        try bench.flush()
        let asset = try #require(try bench.asset(of: "in/0.jpg")?.localIdentifier)
        try bench.change { try $0.trash([asset], reason: .person) }
        bench.post(.assetsDeleted)
        try bench.flush()
        #expect((try? bench.program.read(bench.path("in/0.jpg").bytes)) == nil)
        #expect(try bench.source("in/0.jpg")?.isRemoved == true)
        #expect(try bench.catalogue().asset(asset)?.state == .trashed)
        bench.end()
    }

    private func confirm(_ token: String, _ bench: EngineBench) throws -> Result<Int, EngineError>? {
        let answer = Mutex<Result<Int, EngineError>?>(nil)
        bench.post(.confirmDeletion(token: token) { result in answer.withLock { $0 = result } })
        try bench.run(atMost: .seconds(10)) { answer.withLock { $0 != nil } }
        return answer.withLock { $0 }
    }
}

extension EngineBench {
    fileprivate func change(_ body: @Sendable (inout Change) throws -> Void) throws {
        try library?.onThread { library in _ = try library.performChanges(origin: "test", body) }
    }
}
