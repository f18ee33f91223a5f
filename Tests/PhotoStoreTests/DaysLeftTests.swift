import FoundationEssentials
import PhotoModel
import PhotoStore
import Testing

/// How many days an asset in Recently Deleted has left.
@Suite struct DaysLeftTests {
    private let start = Date(microseconds: 1_796_000_000_000_000)

    /// Trashed at the start, when albumd had run for a week; asked `days` and `running` seconds later.
    private func daysLeft(after days: Double, running: Int64, frozenUntil: Int64 = 0) -> Int {
        let then: Int64 = 7 * 86_400
        let clock = RunningClock(runningSeconds: then + running, wall: start, frozenUntil: frozenUntil)
        let trashing = Trashing(date: start, reason: .person, folder: nil, runningSeconds: then)
        return clock.daysLeft(of: trashing, now: start.addingTimeInterval(days * 86_400))
    }

    @Test(arguments: [(0, 30), (0.5, 30), (1, 29), (29.5, 1), (30, 0), (400, 0)] as [(Double, Int)])
    func theyAreCountedByTheWallClock(days: Double, left: Int) {
        #expect(daysLeft(after: days, running: Int64(days * 86_400)) == left)
    }

    @Test func whileAlbumdHasNotRunForADayThereIsOneLeft() { #expect(daysLeft(after: 400, running: 3600) == 1) }

    @Test func aFrozenClockLeavesTheTimeUntilItThaws() {
        #expect(daysLeft(after: 400, running: 86_400, frozenUntil: 9 * 86_400) == 1)
    }
}
