import FoundationEssentials
import SQLite

/// The one row of the table clock.
extension Catalogue {
    package func clock() throws -> RunningClock? {
        try connection.first("SELECT runningSeconds, wall, frozenUntil FROM clock") {
            RunningClock(runningSeconds: $0.integer(0), wall: $0.date(1), frozenUntil: $0.integer(2))
        }
    }

    /// Not a change of the library: no token, no line in the history.
    func setClock(_ clock: RunningClock) throws {
        try connection.run(
            """
            INSERT INTO clock (id, runningSeconds, wall, frozenUntil) VALUES (1, ?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET runningSeconds = ?1, wall = ?2, frozenUntil = ?3
            """, .integer(clock.runningSeconds), .date(clock.wall), .integer(clock.frozenUntil))
    }

    func newestTrashRunningSeconds() throws -> Int64 {
        try connection.first("SELECT coalesce(max(trashRunningSeconds), 0) FROM asset") { $0.integer(0) } ?? 0
    }
}
