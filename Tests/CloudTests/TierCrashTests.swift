import Cloud
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// The power goes at each named point of a way to the cloud and back, with and without a fault of the store: the bytes are
/// always where the catalogue says, and the way can be gone again (RULES I1, I3, I18, I19).
@Suite struct TierCrashTests {
    private static let points: [Milestone] = [
        .uploadBegun, .objectStored, .beforeCatalogueCommit, .afterCatalogueCommit, .evictionCommitted, .downloadBegun,
        .downloadStaged, .renamedIntoOriginals, .originalsDurable,
    ]

    /// The `nth` time that the point is passed.
    private static var cases: [(point: Milestone, nth: Int, seed: UInt64)] {
        points.flatMap { point in
            (1...8).flatMap { nth in (1...2 as ClosedRange<UInt64>).map { (point, nth, $0) } }
        }
    }

    @Test(arguments: cases) func nothingIsLost(point: Milestone, nth: Int, seed: UInt64) throws {
        try withTier("\(point.rawValue)-\(nth)", seed: seed) { bench in
            let photo = try bench.add("a photo", 1)
            let passed = Mutex(0)
            bench.simulated.onReach { milestone in
                guard milestone == point else { return }
                if passed.withLock({
                    $0 += 1; return $0
                }) == nth {
                    throw SimulatedCut()
                }
            }
            do {
                try bench.tier.evict(photo, requestedBy: .person)
                try bench.tier.fetch(photo, requestedBy: .person)
            } catch is SimulatedCut {
                try bench.cutPower()
            }
            bench.simulated.onReach(nil)
            try bench.check(photo)
            try bench.tier.evict(photo, requestedBy: .person)
            try bench.check(photo)
            try bench.tier.fetch(photo, requestedBy: .person)
            try bench.check(photo)
            #expect(try bench.isOnDisk(photo))
            #expect(try bench.library.onThread { try $0.transfers() } == [])
        }
    }

    @Test func aCrashBetweenTheCommitOfAnEvictionAndItsUnlinkLeavesBoth() throws {
        try withTier { bench in
            let photo = try bench.add("a photo", 1)
            bench.simulated.onReach { if $0 == .evictionCommitted { throw SimulatedCut() } }
            #expect(throws: SimulatedCut.self) { try bench.tier.evict(photo, requestedBy: .person) }
            try bench.cutPower()
            #expect(try bench.version(photo).residency == .both)
            try bench.check(photo)
        }
    }
}

struct SimulatedCut: Error {}
