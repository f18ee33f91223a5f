import Glibc
import TestSupport
import Testing

/// The whole engine on one thread with crashes, power cuts and faults: what a seed decides can be repeated exactly.
@Suite struct SimulationTests {
    /// ALBUMD_SIMULATION_SEED is the first seed, ALBUMD_SIMULATION_RUNS how many.
    private static var seeds: Range<UInt64> {
        let first = number("ALBUMD_SIMULATION_SEED") ?? 1
        return first..<first + (number("ALBUMD_SIMULATION_RUNS") ?? 500)
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    @Test func everyRuleHoldsInEveryRun() {
        for seed in SimulationTests.seeds {
            do {
                try simulate(seed)
            } catch {
                Issue.record("\(error)")
                return
            }
        }
    }

    /// I33.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func theSameSeedTwiceIsTheSameRun(seed: UInt64) throws {
        #expect(try simulate(seed) == simulate(seed))
    }
}
