import Cloud
import Testing

/// What a round says of a store that does not take what it should.
@Suite struct ObstacleTests {
    @Test func aFullStoreIsAnObstacleUntilThereIsRoom() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            var policy = CloudPolicy()
            policy.uploadsAll = true
            bench.store.faults.quotaBytes = 1
            guard case .store(let error) = try bench.tier.round(policy).obstacle else { throw Unmet() }
            #expect(error.kind == .quotaExceeded)
            bench.store.faults.quotaBytes = nil
            #expect(try bench.tier.round(policy).obstacle == nil)
        }
    }

    /// It says yes, and stores nothing: of this original it is said, and the others go on.
    @Test func aStoreThatLiesIsAnObstacle() throws {
        try withTier { bench in
            try bench.add("a photo", 1)
            var policy = CloudPolicy()
            policy.uploadsAll = true
            bench.store.faults.lieRate = 1
            guard case .cloudBytes = try bench.tier.round(policy).obstacle else { throw Unmet() }
        }
    }

    private struct Unmet: Error {}
}
