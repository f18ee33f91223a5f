package import FoundationEssentials
package import PhotoModel

/// How long albumd has been running in all, and whether the wall clock can be believed (RULES R35, R50).
///
/// A clock that jumped would make everything in Recently Deleted old at once, so nothing expires for a day of running
/// after a jump, and nothing ever before a day of running has passed.
package struct RunningClock: Sendable, Equatable {
    package var runningSeconds: Int64
    /// The wall clock when `runningSeconds` was taken.
    package var wall: Date
    /// Nothing expires before so many seconds of running.
    package var frozenUntil: Int64

    /// The time that must have passed since an asset was trashed before it is purged: by the wall clock, and running.
    package static let retention = Trashing.retention
    ///
    /// A day, and the hour that may lie between two readings of the clock: a deletion is dated by the earlier.
    package static let runningRetention = day + 3600
    private static let day: Int64 = 86_400
    private static let jump = 3600.0

    package init(runningSeconds: Int64, wall: Date, frozenUntil: Int64) {
        self.runningSeconds = runningSeconds
        self.wall = wall
        self.frozenUntil = frozenUntil
    }

    package var isFrozen: Bool { runningSeconds < frozenUntil }

    /// Days, begun ones counted, until what was trashed so is purged.
    package func daysLeft(of trashing: Trashing, now: Date) -> Int {
        let wall = trashing.date.timeIntervalSince(now) + RunningClock.retention
        let running = max(trashing.runningSeconds + RunningClock.runningRetention, frozenUntil) - runningSeconds
        return Int((max(wall, Double(running), 0) / 86_400).rounded(.up))
    }

    /// The clock after `elapsed` seconds of running, when the wall clock says `now`.
    package func advanced(by elapsed: Int64, now: Date) -> RunningClock {
        var next = RunningClock(runningSeconds: runningSeconds + elapsed, wall: now, frozenUntil: frozenUntil)
        let drift = now.timeIntervalSince(wall) - Double(elapsed)
        if abs(drift) > RunningClock.jump { next.frozenUntil = next.runningSeconds + RunningClock.day }
        return next
    }

    /// The clock at a start: how long albumd was off is not known, but a wall clock before the last one was set back.
    ///
    /// `least` is the newest running time that anything in the library was dated by: a rebuilt catalogue goes on there.
    package func started(now: Date, least: Int64) -> RunningClock {
        var next = RunningClock(runningSeconds: max(runningSeconds, least), wall: now, frozenUntil: frozenUntil)
        if now.timeIntervalSince(wall) < -RunningClock.jump {
            next.frozenUntil = next.runningSeconds + RunningClock.day
        }
        return next
    }
}
