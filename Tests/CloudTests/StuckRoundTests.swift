import Cloud
import PhotoModel
import PhotoStore
import TestSupport
import Testing

/// What is stuck is stuck alone (RULES R43).
@Suite struct StuckRoundTests {
    private func policy(_ change: (inout CloudPolicy) -> Void) -> CloudPolicy {
        var policy = CloudPolicy()
        change(&policy)
        return policy
    }

    /// Where one alone cannot be stored, of which nobody can say whether it passes, the others go on.
    @Test func oneThatCannotBeStoredStopsNoOther() throws {
        try withTier { bench in
            let photos = try (1...6).map { try bench.add("photo \($0)", UInt8($0)) }
            let shard = "/cloud/objects/\(photos[0].hash.hexadecimal.prefix(2))"
            try? bench.simulated.program.makeDirectory(Array("/cloud/objects".utf8))
            try bench.simulated.program.write(Array(shard.utf8), [1])
            let round = try bench.tier.round(policy { $0.uploadsAll = true })
            #expect(round.outage == nil && round.obstacle != nil)
            #expect(round.failures.map(\.hash) == [photos[0].hash])
            #expect(try photos.dropFirst().allSatisfy { try bench.version($0).residency == .both })
        }
    }

    /// What leaves the disk needs no room in the store, nor does what comes back.
    @Test func aFullStoreStopsOnlyWhatIsToBeStored() throws {
        try withTier { bench in
            let photos = try (1...3).map { try bench.add("photo \($0)", UInt8($0)) }
            _ = try bench.tier.round(policy { $0.uploadsAll = true })
            try bench.tier.evict(photos[0], requestedBy: .person)
            bench.store.faults.quotaBytes = 1
            let more = try (4...6).map { try bench.add("photo \($0)", UInt8($0)) }
            try bench.perform(.setPin(PinChange(localIdentifier: TierBench.identifier(1), isPinned: true)))
            let round = try bench.tier.round(policy { ($0.uploadsAll, $0.keepLocal) = (true, 0) })
            #expect(try photos.map { try bench.version($0).residency } == [.both, .inCloud, .inCloud])
            // One was refused, and that is asked of no other.
            #expect(round.failures.count == 1 && more.contains { $0.hash == round.failures.first?.hash })
            #expect(round.outage == nil)
        }
    }
}
