import EngineSupport
import Platform
import Synchronization
import TestSupport

extension EngineBench {
    /// Another program acts while the engine passes a milestone, once.
    func meddle(at milestone: Milestone, _ act: @escaping @Sendable (SimulatedProgram) throws -> Void) {
        let isDone = Mutex(false)
        let program = simulation.program
        simulation.onReach { reached in
            guard reached == milestone, !isDone.withLock({ exchange(&$0, true) }) else { return }
            try act(program)
        }
    }
}

private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
    defer { value = new }
    return value
}
