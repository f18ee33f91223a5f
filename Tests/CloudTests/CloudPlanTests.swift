import Cloud
import PhotoModel
import Platform
import TestSupport
import Testing

/// The plan is a pure function: what it may never do, and that it comes to rest (N14).
@Suite struct CloudPlanTests {
    private static let now: Int64 = 1_800_000_000

    private func original(
        _ number: UInt8, _ residency: Residency, _ wants: TierFacts.Wants = .whateverFits, bytes: Int64 = 10,
        used: Int64 = 0, begun: Transfer? = nil
    ) throws -> TierFacts {
        let hash = try #require(ContentHash(bytes: [number] + [UInt8](repeating: 0, count: 31)))
        return TierFacts(
            hash: hash, byteCount: bytes, residency: residency, lastUsed: used, wants: wants, transfer: begun)
    }

    private func plan(_ originals: [TierFacts], free: Int64 = 1000, _ set: (inout CloudPolicy) -> Void) -> CloudPlan {
        var policy = CloudPolicy()
        set(&policy)
        return CloudPlan(originals, policy: policy, freeBytes: free, now: Self.now)
    }

    @Test func nothingSetMovesNothing() throws {
        #expect(plan([try original(1, .local), try original(2, .both), try original(3, .inCloud)]) { _ in }.isEmpty)
    }

    @Test func whatIsOverTheLimitLeavesLeastRecentlyUsedFirst() throws {
        let originals = [
            try original(1, .both, used: 30), try original(2, .both, used: 10), try original(3, .local, used: 20),
            try original(4, .inCloud, used: 1),
        ]
        let plan = plan(originals) { $0.keepLocal = 15 }
        #expect(plan.evictions.first.map(\.hash) == [originals[1].hash])
        #expect(plan.uploads.first.map(\.hash) == [originals[2].hash])
        #expect(plan.evictions.first.map(\.reason) == [.keepLocal])
        #expect(plan.fetches.count == 0)
    }

    @Test func whatIsOldLeavesAndCountsForTheLimit() throws {
        let recent = Self.now - 100
        let originals = [try original(1, .both, used: recent), try original(2, .both, used: 5)]
        let plan = plan(originals) {
            $0.olderThan = .seconds(1000)
            $0.keepLocal = 10
        }
        #expect(plan.evictions.first.map(\.hash) == [originals[1].hash])
        #expect(plan.evictions.first.map(\.reason) == [.olderThan])
    }

    @Test func theFloorOfTheDiskIsMadeByWhatLeaves() throws {
        let originals = [try original(1, .both, used: 1), try original(2, .both, used: 2)]
        #expect(plan(originals, free: 95) { $0.freeDiskFloor = 100 }.evictions.first.map(\.hash) == [originals[0].hash])
        #expect(plan(originals, free: 100) { $0.freeDiskFloor = 100 }.isEmpty)
    }

    /// Of several rules the first of pinned, kept by an album, sent by an album, and the limits.
    @Test func contradictingRulesHaveAStatedWinner() throws {
        let kept: [TierFacts.Wants] = [.pinned, .keptByAlbum]
        for wants in kept {
            let here = plan([try original(1, .both, wants)]) {
                ($0.keepLocal, $0.olderThan) = (0, .zero)
            }
            #expect(here.isEmpty)
            let away = plan([try original(1, .inCloud, wants)]) { $0.keepLocal = 0 }
            #expect(away.fetches.count == 1)
        }
        #expect(plan([try original(1, .both, .inCloudByAlbum)]) { $0.keepLocal = 1000 }.evictions.count == 1)
        #expect(TierFacts.Wants.pinned < .keptByAlbum && .keptByAlbum < .inCloudByAlbum)
    }

    @Test func everythingIsUploadedWhereThatIsWanted() throws {
        let originals = [try original(1, .local), try original(2, .both), try original(3, .local, .pinned)]
        let plan = plan(originals) { $0.uploadsAll = true }
        #expect(Set(plan.uploads.first.map(\.hash)) == [originals[0].hash, originals[2].hash])
        #expect(plan.evictions.count == 0)
    }

    @Test func aLimitedPlanListsTheFirstAndCountsAll() throws {
        let originals = try (0..<100).map { try original(UInt8($0), .both) }
        var policy = CloudPolicy()
        policy.keepLocal = 0
        let plan = CloudPlan(originals, policy: policy, freeBytes: 0, now: 0, limit: 7)
        #expect(plan.evictions.first.count == 7)
        #expect(plan.evictions.count == 100)
        #expect(plan.evictions.byteCount == 1000)
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func itNeverEvictsWhatItMayNotAndComesToRest(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var originals = try (0..<UInt8.random(in: 0...60, using: &random)).map { try original($0, using: &random) }
        let policy = policy(using: &random)
        var free = Int64.random(in: 0...1000, using: &random)
        let said = CloudPlan(originals, policy: policy, freeBytes: free, now: Self.now)
        var (uploaded, evicted): (Set<CloudPlan.Move>, Set<CloudPlan.Move>) = ([], [])
        for round in 0... {
            let plan = CloudPlan(originals, policy: policy, freeBytes: free, now: Self.now)
            check(plan, originals)
            uploaded.formUnion(plan.uploads.first)
            evicted.formUnion(plan.evictions.first)
            if plan.isEmpty { break }
            // A move for each original, a round to make a copy, one to leave, and one to see that it is done.
            try #require(round < 4, "seed \(seed)")
            free += apply(plan, to: &originals)
        }
        #expect(uploaded == Set(said.uploads.first), "the first plan says all that is uploaded")
        let leaving = Set((said.evictions.first + said.laterEvictions.first).map(\.hash))
        #expect(Set(evicted.map(\.hash)).isSubset(of: leaving), "and all that leaves")
    }

    @Test func whatIsUploadedToLeaveIsSaidToLeave() throws {
        let originals = [try original(1, .local, used: 5), try original(2, .both, used: 9)]
        for uploadsAll in [false, true] {
            let plan = plan(originals) { ($0.uploadsAll, $0.keepLocal) = (uploadsAll, 10) }
            #expect(plan.uploads.count == 1 && plan.evictions.count == 0)
            #expect(plan.laterEvictions.first.map(\.hash) == [originals[0].hash])
            #expect(plan.laterEvictions.first.map(\.reason) == [.keepLocal])
        }
    }

    /// What was begun is no move; that it leaves afterwards is said all the same, and makes room once.
    @Test(arguments: [Transfer.uploading, .verifying]) func whatIsUploadingIsSaidToLeave(begun: Transfer) throws {
        let leaving = try original(1, .local, used: 5, begun: begun)
        let others = [try original(2, .both, used: 9), try original(3, .local, .pinned, begun: begun)]
        for uploadsAll in [false, true] {
            let plan = plan([leaving] + others) { ($0.uploadsAll, $0.keepLocal) = (uploadsAll, 20) }
            #expect(plan.isEmpty)
            #expect(plan.laterEvictions.first.map(\.hash) == [leaving.hash])
        }
        let byAlbum = plan([try original(1, .local, .inCloudByAlbum, begun: begun)]) { _ in }
        #expect(byAlbum.isEmpty && byAlbum.laterEvictions.first.map(\.reason) == [.inCloudByAlbum])
    }

    /// As the catalogue has it: the store went away while it was sent.
    @Test func anUploadThatAnOutageLeftBegunIsSaidToLeave() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            bench.store.faults.isOffline = true
            #expect(throws: TierError.self) { try bench.tier.upload(photo, requestedBy: .policy) }
            #expect(try bench.version(photo).transfer == .uploading)
            var policy = CloudPolicy()
            policy.keepLocal = 0
            let plan = try bench.tier.plan(policy, limit: 9)
            #expect(plan.isEmpty && plan.laterEvictions.first.map(\.hash) == [photo.hash])
        }
    }

    @Test func whatIsLeavingOrComingCountsAsDone() throws {
        let kept = try original(1, .both, used: 9)
        #expect(plan([kept, try original(2, .both, used: 5, begun: .evicting)]) { $0.keepLocal = 10 }.isEmpty)
        let coming = try original(3, .inCloud, begun: .downloading)
        #expect(plan([kept, coming]) { $0.keepLocal = 10 }.evictions.first.map(\.hash) == [kept.hash])
        #expect(plan([try original(3, .inCloud, .pinned, begun: .downloading)]) { _ in }.isEmpty)
    }

    @Test func whatIsFetchedTakesThePlaceOfAnother() throws {
        let originals = [try original(1, .inCloud, .pinned), try original(2, .both)]
        let plan = plan(originals) { $0.keepLocal = 10 }
        #expect(plan.fetches.count == 1 && plan.evictions.first.map(\.hash) == [originals[1].hash])
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func theOrderOfTheOriginalsDoesNotMatter(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let originals = try (0..<40).map { try original($0, using: &random) }
        let policy = policy(using: &random)
        func moves(_ originals: [TierFacts]) -> [Set<CloudPlan.Move>] {
            let plan = CloudPlan(originals, policy: policy, freeBytes: 50, now: Self.now)
            return [plan.uploads, plan.evictions, plan.fetches].map { Set($0.first) }
        }
        #expect(moves(originals) == moves(originals.shuffled(using: &random)))
    }

    private func original(_ number: UInt8, using random: inout SeededRandom) throws -> TierFacts {
        let wants: [TierFacts.Wants] = [
            .nothing, .pinned, .keptByAlbum, .inCloudByAlbum, .whateverFits, .whateverFits, .whateverFits,
        ]
        return try original(
            number, Residency.allCases.randomElement(using: &random) ?? .local,
            wants.randomElement(using: &random) ?? .nothing, bytes: .random(in: 0...20, using: &random),
            used: Self.now - .random(in: 0...10, using: &random))
    }

    private func policy(using random: inout SeededRandom) -> CloudPolicy {
        var policy = CloudPolicy()
        policy.uploadsAll = Bool.random(using: &random)
        if Bool.random(using: &random) { policy.keepLocal = .random(in: 0...300, using: &random) }
        if Bool.random(using: &random) { policy.freeDiskFloor = .random(in: 0...1000, using: &random) }
        if Bool.random(using: &random) { policy.olderThan = .seconds(.random(in: 0...10, using: &random)) }
        return policy
    }

    private func check(_ plan: CloudPlan, _ originals: [TierFacts]) {
        let facts = Dictionary(originals.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
        for move in plan.evictions.first {
            #expect(facts[move.hash]?.residency == .both, "only what is proven leaves")
            #expect(facts[move.hash].map { $0.wants >= .inCloudByAlbum } ?? false, "nothing pinned or kept leaves")
        }
        #expect(plan.uploads.first.allSatisfy { facts[$0.hash]?.residency == .local })
        #expect(plan.fetches.first.allSatisfy { facts[$0.hash]?.residency == .inCloud })
        let all = [plan.uploads, plan.evictions, plan.fetches].flatMap(\.first)
        #expect(Set(all.map(\.hash)).count == all.count, "one move for one original")
        #expect(all.allSatisfy { facts[$0.hash]?.wants != .nothing })
    }

    /// Carries the moves out; returns how much freer the disk is.
    private func apply(_ plan: CloudPlan, to originals: inout [TierFacts]) -> Int64 {
        var moved: [ContentHash: Residency] = [:]
        for move in plan.uploads.first + plan.fetches.first { moved[move.hash] = .both }
        for move in plan.evictions.first { moved[move.hash] = .inCloud }
        for index in originals.indices {
            originals[index].residency = moved[originals[index].hash] ?? originals[index].residency
        }
        return plan.evictions.byteCount - plan.fetches.byteCount
    }
}
