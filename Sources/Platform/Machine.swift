package import FoundationEssentials

/// Everything the program takes from the machine it runs on: time, identity, file verbs, faults, threads, log.
///
/// The engine holds no other door to the outside. A test hands it a `Machine` whose clock stands still,
/// whose identifiers count upwards and whose disk forgets what was not synced, and can so repeat a run exactly.
package struct Machine: Sendable {
    /// The wall clock: data only, never a timer (RULES R50).
    package var now: @Sendable () -> Date
    /// Time since boot, suspended time included: the only clock for timers (clock_gettime(2), CLOCK_BOOTTIME).
    package var uptime: @Sendable () -> Duration
    /// A fresh random identifier.
    package var makeUUID: @Sendable () -> UUID
    /// Reads, writes and syncs.
    package var files: any FileVerbs
    /// Called at each named point of the engine.
    ///
    /// A test stops here, throws, or cuts the power.
    package var reach: @Sendable (Milestone) throws -> Void
    /// Runs the indices `0..<count` and returns when all are done: on a thread for each core, or in order in a simulation.
    package var concurrently: @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void
    /// Begins such a loop, and returns at once; what it returns waits for the end, and takes part until then.
    package var beginLoop: @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> @Sendable () -> Void
    /// Runs what mostly waits for the disk, and need not be waited for: on threads of its own, or at once in a simulation.
    package var runApart: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    /// Called by long work between two pieces: lets short answers go first (`Courtesy`).
    package var giveWay: @Sendable () -> Void = {}
    package var log: Log

    package init(
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        makeUUID: @escaping @Sendable () -> UUID,
        files: any FileVerbs,
        reach: @escaping @Sendable (Milestone) throws -> Void,
        concurrently: @escaping @Sendable (Int, @Sendable (Int) -> Void) -> Void,
        log: Log
    ) {
        self.now = now
        self.uptime = uptime
        self.makeUUID = makeUUID
        self.files = files
        self.reach = reach
        self.concurrently = concurrently
        beginLoop = { count, body in { concurrently(count, body) } }
        self.log = log
    }
}
