package import FoundationEssentials
package import PhotoModel

/// How long albumd has been running in all, and whether the wall clock can be believed (RULES R35, R50).
///
/// A clock that jumped would make everything in Recently Deleted old at once, so nothing expires for a day of running
/// after a jump, and nothing ever before a day of running has passed. A machine that starts with a clock that is ahead
/// cannot be told from one that was off for long: its clock is put right within the hour, if it ever is, so nothing
/// expires for so long either.
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
    package static let runningRetention = day + hour
    private static let day: Int64 = 86_400
    private static let hour: Int64 = 3600
    /// A wall clock that goes wrong by less is corrected, and has not jumped.
    private static let jump = 3600.0

    package init(runningSeconds: Int64, wall: Date, frozenUntil: Int64) {
        self.runningSeconds = runningSeconds
        self.wall = wall
        self.frozenUntil = frozenUntil
    }

    /// Whether nothing expires.
    package var isFrozen: Bool { runningSeconds < frozenUntil }

    /// Whether the wall clock has jumped within a day of running.
    package var hasJumped: Bool { runningSeconds < frozenUntil - RunningClock.hour }

    /// When what was trashed so is purged at the earliest, if albumd runs on.
    package func expiry(of trashing: (date: Date, runningSeconds: Int64), now: Date) -> Date {
        let running = max(trashing.runningSeconds + RunningClock.runningRetention, frozenUntil) - runningSeconds
        return max(
            trashing.date.addingTimeInterval(RunningClock.retention), now.addingTimeInterval(max(0, Double(running))))
    }

    /// Days, begun ones counted, until what was trashed so is purged.
    package func daysLeft(of trashing: Trashing, now: Date) -> Int {
        let left = expiry(of: (trashing.date, trashing.runningSeconds), now: now).timeIntervalSince(now)
        return Int((max(left, 0) / 86_400).rounded(.up))
    }

    /// The clock after `elapsed` seconds of running, when the wall clock says `now`.
    package func advanced(by elapsed: Int64, now: Date) -> RunningClock {
        let next = RunningClock(runningSeconds: runningSeconds + elapsed, wall: now, frozenUntil: frozenUntil)
        let drift = now.timeIntervalSince(wall) - Double(elapsed)
        return abs(drift) > RunningClock.jump ? next.jumped : next
    }

    /// The clock at a start.
    ///
    /// How long albumd was off is not known, but a wall clock before the last one was set back. `least` is the newest
    /// running time that anything in the library was dated by: a rebuilt catalogue goes on there.
    package func started(now: Date, least: Int64) -> RunningClock {
        let next = RunningClock(runningSeconds: max(runningSeconds, least), wall: now, frozenUntil: frozenUntil)
        let gap = now.timeIntervalSince(wall)
        if gap < -RunningClock.jump { return next.jumped }
        return gap > Double(RunningClock.day) ? next.held : next
    }

    /// Nothing expires for an hour of running.
    package var held: RunningClock {
        var next = self
        next.frozenUntil = max(frozenUntil, runningSeconds + RunningClock.hour)
        return next
    }

    private var jumped: RunningClock {
        var next = self
        next.frozenUntil = runningSeconds + RunningClock.day + RunningClock.hour
        return next
    }
}
