import EngineSupport
import TestSupport

/// On which disk a scenario is played: both must tell the same.
enum BenchDisk: String, CaseIterable, Sendable {
    case simulated
    case real

    /// A started engine with the folders `in` (album Inbox) and `two` (album Two), at rest.
    func withBench(
        _ test: String = #function,
        rules: (EngineBench) throws -> Void = { bench in
            try bench.addFolder("in", album: "Inbox")
            try bench.addFolder("two", album: "Two")
        }, _ body: (EngineBench) throws -> Void
    ) throws {
        switch self {
        case .simulated: try run(try EngineBench(), rules, body)
        case .real: try withScratchFolder(test) { folder in try run(try EngineBench(scratch: folder), rules, body) }
        }
    }

    private func run(
        _ bench: EngineBench, _ rules: (EngineBench) throws -> Void, _ body: (EngineBench) throws -> Void
    ) throws {
        try rules(bench)
        try bench.start()
        try bench.flush()
        try body(bench)
        bench.end()
    }
}
