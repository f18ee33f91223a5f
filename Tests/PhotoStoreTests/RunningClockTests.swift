import FoundationEssentials
import PhotoModel
import PhotoStore
import Testing

/// The clock that Recently Deleted is measured by (RULES R35).
@Suite struct RunningClockTests {
    private let start = RunningClock(runningSeconds: 100, wall: Date(microseconds: 0), frozenUntil: 0)

    private func wall(_ seconds: Double) -> Date { Date(microseconds: 0).addingTimeInterval(seconds) }

    @Test func itGoesOnWithTheTimeThatPassed() {
        let next = start.advanced(by: 3600, now: wall(3600))
        #expect(next.runningSeconds == 3700 && !next.isFrozen)
    }

    @Test(arguments: [3600 * 2.5, -10.0 * 86_400, 400.0 * 86_400]) func aJumpFreezesForADayOfRunning(seconds: Double) {
        var clock = start.advanced(by: 3600, now: wall(seconds))
        #expect(clock.isFrozen)
        for hour in 1...24 { clock = clock.advanced(by: 3600, now: wall(seconds + Double(hour) * 3600)) }
        #expect(!clock.hasJumped)
        #expect(!clock.advanced(by: 3600, now: wall(seconds + 25 * 3600)).isFrozen)
    }

    @Test func smallCorrectionsAreNoJump() {
        #expect(!start.advanced(by: 3600, now: wall(3600 + 3000)).isFrozen)
        #expect(!start.advanced(by: 3600, now: wall(3600 - 3000)).isFrozen)
    }

    @Test func aStartBeforeTheLastTimeIsAJump() {
        #expect(start.started(now: wall(-7200), least: 0).isFrozen)
        #expect(!start.started(now: wall(20 * 3600), least: 0).isFrozen)
    }

    /// It may have started with a clock that is wrong: one that is put right within the hour has jumped.
    @Test func aStartLongAfterTheLastTimeExpiresNothingForAnHour() {
        let ahead = start.started(now: wall(40 * 86_400), least: 0)
        #expect(ahead.isFrozen && !ahead.hasJumped)
        let restarted = ahead.advanced(by: 60, now: wall(40 * 86_400 + 60)).started(
            now: wall(40 * 86_400 + 70), least: 0)
        #expect(restarted.isFrozen)
        #expect(!ahead.advanced(by: 3600, now: wall(40 * 86_400 + 3600)).isFrozen)
        #expect(ahead.advanced(by: 3600, now: wall(3600)).hasJumped)
    }

    @Test func aRebuiltCatalogueGoesOnWhereItsNewestDeletionWas() {
        #expect(start.started(now: wall(0), least: 5000).runningSeconds == 5000)
    }
}
