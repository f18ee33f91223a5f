import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Cloud

/// A download that is broken off, waited for, or needed to mend what is here (RULES R44).
@Suite struct FetchTests {
    private static let pieces = 4
    private static let mebibyte: Int64 = 1 << 20

    private func large(_ bench: TierBench) throws -> Content {
        let photo = try bench.add(String(repeating: "0123456789abcdef", count: Self.pieces << 16), 1)
        try bench.tier.evict(photo, requestedBy: .person)
        return photo
    }

    /// Ends a fetch when so many bytes have come.
    private func breakOff(_ photo: Content, at end: Int64, _ bench: TierBench) {
        #expect(throws: TierError.self) {
            try bench.tier.fetch(photo, requestedBy: .person) { $0 < end }
        }
    }

    /// What a fetch is told on its way.
    private func fetch(_ photo: Content, _ bench: TierBench) throws -> [Int64] {
        var told: [Int64] = []
        try bench.tier.fetch(photo, requestedBy: .person) {
            told.append($0)
            return true
        }
        return told
    }

    @Test func whatWasBrokenOffGoesOnWhereItEnded() throws {
        try withTier { bench in
            let photo = try large(bench)
            breakOff(photo, at: 2 * Self.mebibyte, bench)
            #expect(try bench.version(photo).residency == .inCloud)
            #expect(try bench.version(photo).transfer == nil)
            #expect(try fetch(photo, bench).first == 2 * Self.mebibyte)
            try bench.check(photo)
            #expect(try bench.stagedNames().isEmpty)
        }
    }

    @Test func itGoesOnAfterARestart() throws {
        try withTier { bench in
            let photo = try large(bench)
            breakOff(photo, at: 3 * Self.mebibyte, bench)
            try bench.restart()
            #expect(try fetch(photo, bench).first == 3 * Self.mebibyte)
            try bench.check(photo)
        }
    }

    @Test func anOutageBreaksItOffAndTheNextGoesOn() throws {
        try withTier { bench in
            let photo = try large(bench)
            bench.store.faults.breakRate = 1
            #expect(throws: TierError.self) { try bench.tier.fetch(photo, requestedBy: .person) }
            bench.store.faults.breakRate = 0
            #expect(try fetch(photo, bench).first ?? 0 > 0)
            try bench.check(photo)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func afterAPowerCutTheBytesAreRight(seed: UInt64) throws {
        try withTier("cut", seed: seed) { bench in
            let photo = try large(bench)
            breakOff(photo, at: 2 * Self.mebibyte, bench)
            try bench.cutPower()
            _ = try fetch(photo, bench)
            try bench.check(photo)
        }
    }

    @Test func partOfItThatIsWrongIsThrownAway() throws {
        try withTier { bench in
            let photo = try large(bench)
            breakOff(photo, at: 2 * Self.mebibyte, bench)
            let name = try #require(try bench.stagedNames().first)
            let staging = try bench.simulated.files.openDirectory(Array("/library/staging".utf8))
            let file = try bench.simulated.files.openForUpdating(name, in: staging)
            try writeBytes(file, Array("X".utf8), files: bench.simulated.files, at: 0)
            try file.close()
            let told = try fetch(photo, bench)
            // All of it came once more.
            #expect(told.contains(0))
            try bench.check(photo)
        }
    }

    @Test func partOfWhatNobodyWantsIsRemoved() throws {
        try withTier { bench in
            let photo = try large(bench)
            breakOff(photo, at: 2 * Self.mebibyte, bench)
            _ = try bench.tier.round(CloudPolicy())
            #expect(try bench.stagedNames().count == 1)
            bench.simulated.advance(by: .seconds(8 * 86_400))
            _ = try bench.tier.round(CloudPolicy())
            #expect(try bench.stagedNames().isEmpty)
            // The same bytes come in anew: an hour, and it is gone.
            breakOff(photo, at: 2 * Self.mebibyte, bench)
            try bench.add(String(repeating: "0123456789abcdef", count: Self.pieces << 16), 2)
            _ = try bench.tier.round(CloudPolicy())
            #expect(try bench.stagedNames().count == 1)
            bench.simulated.advance(by: .seconds(2 * 3600))
            _ = try bench.tier.round(CloudPolicy())
            #expect(try bench.stagedNames().isEmpty)
        }
    }

    @Test func whatIsPurgedWhileItComesLeavesNoFile() throws {
        try withTier { bench in
            let photo = try large(bench)
            let asset = TierBench.identifier(1)
            var isPurged = false
            #expect(throws: TierError.self) {
                try bench.tier.fetch(photo, requestedBy: .person) { _ in
                    guard !isPurged else { return true }
                    isPurged = true
                    try? bench.perform(
                        .trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
                    _ = try? bench.library.onThread { try $0.purge([asset], origin: "test", reason: .person) }
                    return true
                }
            }
            #expect(isPurged)
            let found = bench.library.directory.originals.look(at: photo, reading: false)
            #expect(found.finding == .missing)
        }
    }

    @Test func whatIsDamagedHereIsMendedFromTheCloud() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            #expect(try !bench.tier.mend(photo))
            try bench.tier.upload(photo, requestedBy: .person)
            try bench.spoil(photo, isGone: false)
            bench.store.faults.isOffline = true
            #expect(throws: TierError.self) { try bench.tier.mend(photo) }
            bench.store.faults.isOffline = false
            #expect(try bench.tier.mend(photo))
            #expect(try bench.version(photo).condition == .sound)
            try bench.check(photo)
        }
    }

    /// A person who pinned it is to hear of it, round after round, until it is here.
    @Test func whatIsWantedAndFindsNoRoomIsCounted() throws {
        try withTier { bench in
            let photo = try large(bench)
            let pin = PinChange(localIdentifier: TierBench.identifier(1), isPinned: true, until: nil)
            try bench.perform(.setPin(pin))
            bench.simulated.files.configure { $0.capacity = 0 }
            for _ in 0..<2 { #expect(try bench.tier.round(CloudPolicy()).withoutRoom == 1) }
            bench.simulated.files.configure { $0.capacity = 1 << 40 }
            let round = try bench.tier.round(CloudPolicy())
            #expect(round.withoutRoom == 0 && round.fetched == 1)
            try bench.check(photo)
        }
    }

    /// A rule that wants it away has to wait for who waits for it, and for who has it brought and then asks for its bytes.
    @Test func whatSomebodyWaitsForIsNotEvictedBeforeHeHasIt() throws {
        try withTier { bench in
            let photo = try large(bench)
            var policy = CloudPolicy()
            policy.keepLocal = 0
            try bench.tier.fetch(photo, requestedBy: .policy)
            bench.tier.beginWanting(photo.hash)
            for reason in [TransferReason.person, .policy] {
                #expect(throws: TierError.self) { try bench.tier.evict(photo, requestedBy: reason) }
            }
            let waited = try bench.tier.round(policy)
            #expect(waited.evicted == 0 && waited.failures.isEmpty)
            bench.tier.endWanting(photo.hash)
            #expect(try bench.tier.round(policy).evicted == 1)
            try bench.tier.fetch(photo, requestedBy: .person)
            #expect(try bench.tier.round(policy).moved == 0)
            bench.simulated.advance(by: .seconds(61))
            #expect(try bench.tier.round(policy).evicted == 1)
            // A person is obeyed at once.
            try bench.tier.fetch(photo, requestedBy: .person)
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.check(photo)
        }
    }

    @Test func whatARuleTakesBackIsKnownBeforeItIsFetched() throws {
        try withTier { bench in
            let photos = try (1...3).map { try bench.add("photo \($0)", UInt8($0)) }
            for photo in photos { try bench.tier.evict(photo, requestedBy: .person) }
            var policy = CloudPolicy()
            func taken(_ fetched: [Content]) throws -> [ContentHash: CloudPlan.Reason] {
                try bench.tier.reasonsToLeave(after: Set(fetched.map(\.hash)), policy)
            }
            #expect(try taken(photos).isEmpty)
            policy.keepLocal = photos[0].byteCount
            #expect(try taken([photos[0]]).isEmpty)
            #expect(try taken(photos).count == 2)
            policy.keepLocal = 0
            #expect(try taken([photos[0]]) == [photos[0].hash: .keepLocal])
            // Asking moves nothing.
            #expect(try bench.version(photos[0]).residency == .inCloud)
        }
    }

    @Test func whoWaitsForTheSameOriginalHearsHowFarItIs() throws {
        let moves = MoveLocks()
        let hash = try TierBench.content("a photo").hash
        let told = Mutex<[Int64]>([])
        let isWaiting = Monitor(false)
        let ended = Monitor<Int?>(nil)
        moves.alone(hash) {
            NamedThread.start("second") {
                let value = moves.alone(
                    hash,
                    progress: { count in
                        told.withLock { $0.append(count) }
                        isWaiting.update { $0 = true }
                        return true
                    }
                ) { 7 }
                ended.update { $0 = value ?? 0 }
            }.detach()
            isWaiting.wait { $0 ? () : nil }
            isWaiting.update { $0 = false }
            moves.received(1000, of: hash)
            isWaiting.wait { $0 ? () : nil }
        }
        #expect(ended.wait { $0 } == 7)
        #expect(told.withLock { $0.contains(1000) })
        // And who does not want to wait goes.
        moves.alone(hash) {
            #expect(moves.alone(hash, progress: { _ in false }) { 7 } == nil)
        }
    }
}
