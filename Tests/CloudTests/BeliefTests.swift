import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

/// What a store says that is not this library's proves nothing and denies nothing, the first time as well as the second.
@Suite struct BeliefTests {
    /// Whose the store is not: it has nothing of the library, or it is another's.
    private static let identities = [nil, "0C4B1D5E-6A0F-4C52-9C0E-2C1D7E0B9A11\n"]

    /// Does something while the store is another's, and expects that it is refused for that.
    private func expectDisbelief(
        _ bench: TierBench, _ identity: String?, _ act: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let key = try key("library/identity")
        let before = try bench.store.text(key)
        _ = try bench.store.lose(key)
        if let identity { _ = try bench.store.put(key, body(identity)) }
        do {
            try act()
            Issue.record("it was believed", sourceLocation: sourceLocation)
        } catch TierError.notOurs {
        }
        _ = try bench.store.put(key, body(before))
    }

    @Test(arguments: identities) func aStoreThatIsAnothersDeniesNothing(identity: String?) throws {
        try withTier("denies-\(identity == nil)") { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            _ = try bench.store.lose(.original(photo.hash))
            try expectDisbelief(bench, identity) { _ = try bench.tier.check(photo) }
            try expectDisbelief(bench, identity) { try bench.tier.fetch(photo, requestedBy: .person) }
            #expect(bench.tier.doubtCount == 0)
            // Its own store is believed, the first time for a doubt.
            #expect(try bench.tier.check(photo) == .absent)
            #expect(bench.tier.doubtCount == 1)
        }
    }

    /// One answer of a store that comes after it is a first answer.
    @Test func aDoubtOfAStoreThatIsGivenUpIsForgotten() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            try bench.tier.evict(photo, requestedBy: .person)
            _ = try bench.store.lose(.original(photo.hash))
            #expect(try bench.tier.check(photo) == .absent)
            bench.simulated.advance(by: .seconds(601))
            bench.tier.forgetDoubts()
            try bench.restart()
            #expect(bench.tier.doubtCount == 0)
            #expect(try bench.tier.check(photo) == .absent)
            bench.simulated.advance(by: .seconds(601))
            #expect(try bench.tier.check(photo) == .lost)
        }
    }

    /// It has the very bytes, as a copy of the store that another library goes on with.
    @Test(arguments: identities) func aStoreThatIsAnothersProvesNothing(identity: String?) throws {
        try withTier("proves-\(identity == nil)") { bench in
            let (here, away) = (try bench.add("here", 1), try bench.add("away", 2))
            try bench.tier.evict(away, requestedBy: .person)
            try expectDisbelief(bench, identity) { _ = try bench.tier.check(away) }
            try expectDisbelief(bench, identity) { try bench.tier.drill(away) }
            try expectDisbelief(bench, identity) { _ = try bench.tier.hasCopy(of: away) }
            try expectDisbelief(bench, identity) { try bench.tier.evict(here, requestedBy: .person) }
            #expect(try bench.version(here).residency == .local)
            try bench.check(here, away)
            #expect(try bench.tier.check(away) == .proven)
        }
    }

    /// Nor is a history brought to what stands where the store was.
    @Test(arguments: identities) func aStoreThatIsAnothersGetsNoHistory(identity: String?) throws {
        try withTier("history-\(identity == nil)") { bench in
            for number in 1...20 { try bench.add("photo \(number)", UInt8(number)) }
            for object in try bench.store.list("", after: nil, limit: 100) { _ = try bench.store.lose(object.key) }
            if let identity { _ = try bench.store.put(try key("library/identity"), body(identity)) }
            try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                #expect(throws: MirrorError.self) { try mirror.catchUp(from: 4, catalogue.history) }
            }
            #expect(try bench.store.list("library/changes/", after: nil, limit: 9).isEmpty)
        }
    }

    /// Two libraries in one store would delete each other's objects.
    @Test func aRoundInAStoreThatIsAnothersDeletesNothingAndSaysSo() throws {
        try withTier { bench in
            let (photo, kept) = (try bench.add("a photo", 1), try bench.add("kept", 2))
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.tier.evict(kept, requestedBy: .person)
            let asset = TierBench.identifier(1)
            try bench.perform(.trashAssets(AssetTrashing(assets: [asset], reason: .person, runningSeconds: 0)))
            try bench.library.onThread { _ = try $0.purge([asset], origin: "test", reason: .person) }
            let key = try key("library/identity")
            let before = try bench.store.text(key)
            _ = try bench.store.lose(key)
            var policy = CloudPolicy()
            policy.deletesPurged = .zero
            let round = try bench.tier.round(policy)
            guard case .notOurs = round.obstacle else { throw NotAsExpected() }
            #expect(round.deletedObjects == 0)
            #expect(try bench.isInStore(photo))
            _ = try bench.store.put(key, body(before))
            #expect(try bench.tier.round(policy).deletedObjects == 1)
        }
    }

    private struct NotAsExpected: Error {}
}
