import EngineSupport
import PhotoModel
import PhotoStore
import TestSupport

/// A failed run: what does not hold, and how to come there again.
struct SimulationFailure: Error, CustomStringConvertible {
    var seed: UInt64
    var cause: any Error
    var steps: [String]
    /// The changes that the library made, a line of JSON each.
    var history: [String]

    var rule: String { (cause as? Violation)?.rule ?? "\(cause)" }

    var description: String {
        "seed \(seed): \(cause)\nALBUMD_SIMULATION_SEED=\(seed) ALBUMD_SIMULATION_RUNS=1 runs it again. The steps:\n"
            + steps.map { "  " + $0 }.joined(separator: "\n") + "\nThe changes:\n" + history.joined(separator: "\n")
    }
}

/// Runs one seed to its end; returns the hash of its trace.
@discardableResult
func simulate(_ seed: UInt64, _ change: (inout SimulationPlan) -> Void = { _ in }) throws -> ContentHash? {
    var plan = SimulationPlan(seed: seed)
    change(&plan)
    let world = try World(plan)
    defer { world.end() }
    var chooser = StepChooser(plan)
    do {
        for _ in 0..<plan.stepCount {
            try world.perform(chooser.next(world))
            world.noteLog()
        }
        try world.perform(.settle)
        try world.checkTables()
        try world.checkJournal()
    } catch {
        let history = (try? world.bench.catalogue().history(after: 0, limit: .max).map(\.json)) ?? []
        throw SimulationFailure(seed: seed, cause: error, steps: world.trace.lines, history: history)
    }
    return world.trace.hash
}
