import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What the tier does by itself, and what it takes for gone (RULES R42, R43; I29, I30).
@Suite struct RoundTests {
    private func policy(_ set: (inout CloudPolicy) -> Void) -> CloudPolicy {
        var policy = CloudPolicy()
        set(&policy)
        return policy
    }

    /// Rounds until nothing moves any more; returns how many that took.
    @discardableResult
    private func settle(_ bench: TierBench, _ policy: CloudPolicy) throws -> Int {
        for count in 1... {
            let round = try bench.tier.round(policy)
            if round.moved == 0, round.outage == nil { return count }
            try #require(count < 500)
        }
        return 0
    }

    @Test func withoutRulesNothingMoves() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            #expect(try bench.tier.round(CloudPolicy()).moved == 0)
            #expect(try bench.version(photo).residency == .local)
        }
    }

    @Test func aLimitIsReachedAndThenNothingMoves() throws {
        try withTier { bench in
            let photos = try (1...6).map { number in
                bench.simulated.advance(by: .seconds(10))
                return try bench.add("photo \(number)", UInt8(number))
            }
            let policy = policy { $0.keepLocal = photos[0].byteCount * 2 }
            try settle(bench, policy)
            let residencies = try photos.map { try bench.version($0).residency }
            #expect(residencies == [.inCloud, .inCloud, .inCloud, .inCloud, .local, .local])
            #expect(try bench.tier.plan(policy, limit: 9).isEmpty)
            for photo in photos { try bench.check(photo) }
        }
    }

    @Test func whatWasAskedForLastStays() throws {
        try withTier { bench in
            let photos = try (1...3).map { number in
                bench.simulated.advance(by: .seconds(10))
                return try bench.add("photo \(number)", UInt8(number))
            }
            bench.simulated.advance(by: .seconds(10))
            try bench.library.onThread { try $0.noteUse(of: [photos[0].hash]) }
            try settle(bench, policy { $0.keepLocal = photos[0].byteCount })
            #expect(try photos.map { try bench.version($0).residency } == [.local, .inCloud, .inCloud])
        }
    }

    @Test func anOutageEndsTheRoundAndTheNextOneGoesOn() throws {
        try withTier { bench in
            let photos = try (1...4).map { try bench.add("photo \($0)", UInt8($0)) }
            bench.store.faults.isOffline = true
            let policy = policy { $0.uploadsAll = true }
            let round = try bench.tier.round(policy)
            #expect(round.outage != nil && round.uploaded == 0)
            // Some are asked for, not all: the store is away.
            #expect(try bench.library.onThread { try $0.transfers() }.count == 3)
            bench.store.faults.isOffline = false
            try settle(bench, policy)
            for photo in photos {
                #expect(try bench.version(photo).residency == .both)
                try bench.check(photo)
            }
            #expect(try bench.library.onThread { try $0.transfers() } == [])
        }
    }

    @Test func aStoreThatHardlyWorksGetsEverythingInTheEnd() throws {
        try withTier { bench in
            let photos = try (1...8).map { try bench.add("photo \($0)", UInt8($0)) }
            bench.store.faults.errorRate = 0.3
            bench.store.faults.lieRate = 0.2
            bench.store.faults.truncateRate = 0.1
            bench.store.faults.corruptRate = 0.1
            bench.store.faults.breakRate = 0.2
            bench.store.faults.throttleRate = 0.1
            let policy = policy { $0.keepLocal = 0 }
            for _ in 0..<300 {
                _ = try bench.tier.round(policy)
                for photo in photos { try bench.check(photo) }
            }
            #expect(try photos.allSatisfy { try bench.version($0).residency == .inCloud })
        }
    }

    @Test func oneBadOriginalStopsNoOther() throws {
        try withTier { bench in
            let photos = try (1...3).map { try bench.add("photo \($0)", UInt8($0)) }
            try bench.spoil(photos[1], isGone: false)
            let round = try bench.tier.round(policy { $0.uploadsAll = true })
            #expect(round.uploaded == 2)
            #expect(round.failures.map(\.hash) == [photos[1].hash])
            #expect(try bench.version(photos[1]).condition == .corrupt)
        }
    }

    @Test func goneIsGoneOnlyWhenItWasSaidTwiceWithAControl() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.upload(photo, requestedBy: .person)
            _ = try bench.store.lose(.original(photo.hash))
            #expect(try bench.tier.check(photo) == .absent)
            #expect(try bench.tier.check(photo) == .absent)
            bench.simulated.advance(by: .seconds(601))
            bench.store.faults.isOffline = true
            #expect(throws: TierError.self) { try bench.tier.check(photo) }
            #expect(try bench.version(photo).residency == .both)
            bench.store.faults.isOffline = false
            // Here it still is, so it goes there again.
            #expect(try bench.tier.check(photo) == .uploadedAgain)
            #expect(try bench.version(photo).residency == .both)
            try bench.check(photo)
        }
    }

    /// Twice means the same answer twice.
    @Test func absentAndThenDifferentIsNoSecondTime() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            _ = try bench.store.corrupt(.original(photo.hash))
            #expect(try bench.tier.check(photo) == .different)
            _ = try bench.store.lose(.original(photo.hash))
            bench.simulated.advance(by: .seconds(601))
            #expect(try bench.tier.check(photo) == .absent)
            #expect(try !bench.version(photo).isLost)
            bench.simulated.advance(by: .seconds(601))
            #expect(try bench.tier.check(photo) == .lost)
        }
    }

    /// The round does by itself what a second `cloud verify` would.
    @Test func aCopyThatIsGoneIsUploadedAgainByTheRoundOverAnOutage() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.upload(photo, requestedBy: .person)
            _ = try bench.store.lose(.original(photo.hash))
            #expect(try bench.tier.check(photo) == .absent)
            bench.simulated.advance(by: .seconds(601))
            let store = bench.store
            bench.simulated.onReach { if $0 == .uploadBegun { store.faults.isOffline = true } }
            let round = try bench.tier.round(CloudPolicy())
            #expect(round.outage != nil)
            #expect(try bench.version(photo).residency == .local)
            #expect(try bench.version(photo).transfer == .uploading)
            bench.simulated.onReach(nil)
            bench.store.faults.isOffline = false
            #expect(try bench.tier.round(CloudPolicy()).uploaded == 1)
            #expect(try bench.version(photo).residency == .both)
            #expect(bench.tier.doubtCount == 0)
            try bench.check(photo)
        }
    }

    /// Over a restart, too, and the ten minutes go on.
    @Test func aDoubtIsNotForgotten() throws {
        try withTier { bench in
            let (here, away) = (try bench.add("here", 1), try bench.add("away", 2))
            try bench.tier.upload(here, requestedBy: .person)
            try bench.tier.evict(away, requestedBy: .person)
            for photo in [here, away] {
                _ = try bench.store.lose(.original(photo.hash))
                #expect(try bench.tier.check(photo) == .absent)
            }
            bench.simulated.advance(by: .seconds(300))
            try bench.restart()
            #expect(Set(bench.tier.doubtedOriginals) == [here.hash, away.hash])
            let wait = try #require(bench.tier.doubtWait(of: away.hash))
            #expect(wait > .seconds(295) && wait <= .seconds(301))
            #expect(try bench.tier.round(CloudPolicy()).lost == [])
            bench.simulated.advance(by: .seconds(302))
            #expect(try bench.tier.round(CloudPolicy()).lost == [away.hash])
            #expect(try bench.version(here).residency == .both)
            try bench.check(here)
            try bench.restart()
            #expect(bench.tier.doubtCount == 0)
        }
    }

    @Test func oneDoubtThatCannotBeSettledStopsNoOther() throws {
        try withTier { bench in
            let photos = try (1...3).map { try bench.add("photo \($0)", UInt8($0)) }
            for photo in photos {
                try bench.tier.upload(photo, requestedBy: .person)
                _ = try bench.store.lose(.original(photo.hash))
                #expect(try bench.tier.check(photo) == .absent)
            }
            for photo in photos.dropLast() {
                try bench.spoil(photo, isGone: false)
                try bench.library.onThread { library in
                    _ = try library.record([(photo, library.directory.originals.look(at: photo, reading: true))])
                }
            }
            bench.simulated.advance(by: .seconds(601))
            let round = try bench.tier.round(CloudPolicy())
            #expect(Set(round.failures.map(\.hash)) == Set(photos.dropLast().map(\.hash)))
            #expect(try bench.version(photos[2]).residency == .both)
            try bench.check(photos[2])
        }
    }

    @Test func whatIsLostIsNotDoubtedAnew() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            _ = try bench.store.lose(.original(photo.hash))
            #expect(try bench.tier.check(photo) == .absent)
            bench.simulated.advance(by: .seconds(601))
            #expect(try bench.tier.check(photo) == .lost)
            for _ in 0..<2 { #expect(try bench.tier.check(photo) == .lost) }
            #expect(bench.tier.doubtCount == 0)
        }
    }

    @Test func goneFromBothIsLostAndItsRowStaysAndReturns() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            _ = try bench.store.lose(.original(photo.hash))
            #expect(try bench.tier.check(photo) == .absent)
            #expect(try !bench.version(photo).isLost)
            bench.simulated.advance(by: .seconds(601))
            #expect(try bench.tier.round(CloudPolicy()).lost == [photo.hash])
            #expect(try bench.version(photo).isLost)
            #expect(throws: TierError.self) { try bench.tier.fetch(photo, requestedBy: .person) }
            #expect(try bench.library.onThread { try $0.counts().assets } == 1)
            // Its file is dropped once more, as a repair finds it: here alone, and brought to the cloud anew.
            try bench.add("a photo", 2)
            #expect(try !bench.version(photo).isLost)
            #expect(try bench.version(photo).residency == .local)
            try settle(bench, policy { $0.uploadsAll = true })
            #expect(try bench.version(photo).residency == .both)
            #expect(try bench.tier.check(photo) == .proven)
            #expect(try bench.isOnDisk(photo))
        }
    }

    @Test func aStoreThatDeniesItsControlProvesNothing() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            let held = try bench.store.lose(.original(photo.hash))
            #expect(held)
            #expect(try bench.tier.check(photo) == .absent)
            bench.simulated.advance(by: .seconds(601))
            bench.store.faults.lieRate = 1
            #expect(kindOfError { try bench.tier.check(photo) })
            #expect(try !bench.version(photo).isLost)
        }
    }

    private func kindOfError(_ body: () throws -> CopyFinding) -> Bool {
        do { return try body() == .absent } catch { return true }
    }

    @Test func aPurgedObjectIsDeletedWhenTheTimeHasComeAndNoSooner() throws {
        try withTier { bench in
            let (photo, twin) = (try bench.add("a photo", 1), try bench.add("another", 2))
            for content in [photo, twin] { try bench.tier.evict(content, requestedBy: .person) }
            for number in [1, 2] as [UInt8] {
                let asset = TierBench.identifier(number)
                try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
                try bench.library.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            }
            #expect(try bench.tier.round(CloudPolicy()).deletedObjects == 0)
            let policy = policy { $0.deletesPurged = .seconds(3600) }
            #expect(try bench.tier.round(policy).deletedObjects == 0)
            // The second one comes back before that.
            try bench.add("another", 3)
            bench.simulated.advance(by: .seconds(3601))
            #expect(try bench.tier.round(policy).deletedObjects == 1)
            #expect(try !bench.isInStore(photo))
            #expect(try bench.isInStore(twin))
            #expect(try bench.library.onThread { try $0.objectWork() }.isEmpty)
        }
    }
}
