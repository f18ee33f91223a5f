import TestSupport
import Testing

/// The checks can fail: what is known to lose photos is found out.
@Suite struct NegativeControlTests {
    /// Nothing is made durable, on a disk that keeps only what it must (RULES R9).
    @Test func withoutSyncsPowerCutsLoseWhatWasTold() throws {
        var found: [String] = []
        for seed in 1...30 as ClosedRange<UInt64> where found.isEmpty {
            do {
                try simulate(seed) { plan in
                    plan.disk.forgetsSyncs = true
                    plan.troubles = 25
                }
            } catch let failure as SimulationFailure {
                found += [failure.rule].filter(["I1", "I2", "I4"].contains)
            }
        }
        #expect(!found.isEmpty, "30 runs without a sync lost nothing: the checks see nothing")
    }
}
