import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport
import Testing

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

/// Plays a scenario that begins with picture 1, imported as `in/a.jpg`, and its asset.
func imported(
    on disk: BenchDisk, _ test: String = #function, _ body: (EngineBench, LocalIdentifier) throws -> Void
) throws {
    try disk.withBench(test) { bench in
        try bench.write("in/a.jpg", SampleMedia.picture(1))
        try bench.flush()
        try body(bench, try #require(try bench.source("in/a.jpg")?.localIdentifier))
    }
}
