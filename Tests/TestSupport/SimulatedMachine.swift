import FoundationEssentials
package import Platform
import Synchronization

/// A machine in memory: its clock stands still, its identifiers count upwards, its disk forgets what was not synced.
///
/// Everything runs on the thread of the caller and in the same order for the same seed.
package final class SimulatedMachine: Sendable {
    package typealias Hook = @Sendable (Milestone) throws -> Void

    private struct State: Sendable {
        var uptime: Duration = .seconds(100)
        var uuidCount: UInt64 = 0
        var entries: [Log.Entry] = []
        var reached: [Milestone] = []
        var hook: Hook?
    }

    package let seed: UInt64
    package let files: SimulatedFiles
    /// The wall clock, in nanoseconds since the epoch.
    private let wall: SimulatedClock
    private let state = Mutex(State())

    /// The clock begins on 14 November 2023, 22:13:20 UTC.
    package init(seed: UInt64 = 1) {
        self.seed = seed
        let wall = SimulatedClock()
        self.wall = wall
        files = SimulatedFiles(seed: seed) { wall.now }
    }

    /// What the engine is given.
    package var machine: Machine {
        Machine(
            now: { Date(timeIntervalSince1970: Double(self.wall.now) / 1e9) },
            uptime: { self.state.withLock { $0.uptime } },
            makeUUID: { self.makeUUID() },
            files: files,
            reach: { try self.reach($0) },
            concurrently: { count, body in
                for index in 0..<count { body(index) }
            },
            log: Log { entry in self.state.withLock { $0.entries.append(entry) } })
    }

    /// Another program on the same disk.
    package var program: SimulatedProgram { SimulatedProgram(on: files) }

    /// Lets time pass on both clocks.
    package func advance(by duration: Duration) {
        wall.advance(by: duration.nanoseconds)
        state.withLock { $0.uptime += duration }
    }

    /// Sets the wall clock alone, as a person or NTP does; nanoseconds since the epoch.
    package func setWallClock(_ nanoseconds: Int64) { wall.set(nanoseconds) }

    /// Called at every milestone; what it throws, the engine meets there.
    ///
    /// Nil takes it away.
    package func onReach(_ hook: Hook?) { state.withLock { $0.hook = hook } }

    /// Every milestone that was reached, in order.
    package var reached: [Milestone] { state.withLock { $0.reached } }

    /// Everything that was logged, in order.
    package var logEntries: [Log.Entry] { state.withLock { $0.entries } }

    private func reach(_ milestone: Milestone) throws {
        let hook = state.withLock { state in
            state.reached.append(milestone)
            return state.hook
        }
        try hook?(milestone)
    }

    /// 00000000-0000-4000-8000-000000000001 and so on.
    private func makeUUID() -> UUID {
        let count = state.withLock { state in
            state.uuidCount += 1
            return state.uuidCount
        }
        func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: count >> (8 * index)) }
        return UUID(
            uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, byte(5), byte(4), byte(3), byte(2), byte(1), byte(0)))
    }
}

/// A wall clock that stands still until it is moved.
private final class SimulatedClock: Sendable {
    private let time = Mutex<Int64>(1_700_000_000_000_000_000)

    var now: Int64 { time.withLock { $0 } }

    func advance(by nanoseconds: Int64) { time.withLock { $0 += nanoseconds } }

    func set(_ nanoseconds: Int64) { time.withLock { $0 = nanoseconds } }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
