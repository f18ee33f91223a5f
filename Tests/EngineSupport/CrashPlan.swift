package import Platform
import Synchronization
package import TestSupport

/// How the engine ends.
package enum CrashKind: String, Sendable, CaseIterable {
    /// The process is killed; what it wrote stays in the page cache.
    case kill
    /// The machine loses its power; what was not synced may be gone.
    case powerCut
}

/// What the engine meets at the point where it is made to die.
package struct SimulatedCrash: Error {
    package var kind: CrashKind
    package var milestone: Milestone?
}

/// Kills the engine at a milestone: from there on the disk and the catalogue take nothing more of it.
package final class CrashPlan: Sendable {
    private struct State: Sendable {
        var armed: (milestone: Milestone, kind: CrashKind, remaining: Int)?
        var happened: CrashKind?
    }

    private let state = Mutex(State())
    private let simulation: SimulatedMachine
    private let vfs: SimulatedVFS

    package init(_ simulation: SimulatedMachine, _ vfs: SimulatedVFS) {
        self.simulation = simulation
        self.vfs = vfs
        simulation.onReach { [weak self] milestone in try self?.reach(milestone) }
    }

    /// Lets the engine die where it reaches a milestone for the nth time from now.
    package func arm(_ kind: CrashKind, at milestone: Milestone, count: Int = 1) {
        state.withLock { $0.armed = (milestone, kind, count) }
    }

    package func disarm() { state.withLock { $0.armed = nil } }

    /// How it died, if it is dead.
    package var happened: CrashKind? { state.withLock { $0.happened } }

    /// Lets the engine die now.
    package func crash(_ kind: CrashKind) {
        state.withLock { $0.happened = kind }
        vfs.stop(after: 0)
        switch kind {
        case .kill: simulation.files.crash()
        case .powerCut: simulation.files.cutPower()
        }
    }

    /// The machine is up again; call it when every connection of the dead is closed.
    package func recover(seed: UInt64) {
        let kind = state.withLock { state in
            defer { (state.happened, state.armed) = (nil, nil) }
            return state.happened
        }
        if kind == .powerCut { vfs.cutPower(seed: seed) }
        vfs.stop(after: nil)
        simulation.files.restart()
    }

    private func reach(_ milestone: Milestone) throws {
        let kind: CrashKind? = state.withLock { state in
            guard let armed = state.armed, armed.milestone == milestone else { return nil }
            state.armed?.remaining -= 1
            guard armed.remaining == 1 else { return nil }
            state.armed = nil
            return armed.kind
        }
        guard let kind else { return }
        crash(kind)
        throw SimulatedCrash(kind: kind, milestone: milestone)
    }
}
