import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Synchronization

/// `in` mirrors deletions, `two` keeps.
func withMirror(
    _ disk: BenchDisk = .simulated, _ test: String = #function, pictures: Int = 1,
    _ body: (EngineBench) throws -> Void
) throws {
    let rules = { (bench: EngineBench) in
        try bench.addFolder("in", album: "Inbox") { $0.onSourceDeleted = .trash }
        try bench.addFolder("two", album: "Two")
    }
    try disk.withBench(test, rules: rules) { bench in
        for number in 0..<pictures { try bench.write("in/\(number).jpg", SampleMedia.picture(number)) }
        try bench.flush()
        try body(bench)
    }
}

func state(_ name: String, _ bench: EngineBench) throws -> AssetState? { try bench.asset(of: name)?.state }

func trashedCount(_ bench: EngineBench) throws -> Int { try bench.catalogue().trashedCount() }

func confirm(_ token: String, _ bench: EngineBench) throws -> Result<Int, EngineError>? {
    let answer = Mutex<Result<Int, EngineError>?>(nil)
    bench.post(.confirmDeletion(token: token) { result in answer.withLock { $0 = result } })
    try bench.run(atMost: .seconds(10)) { answer.withLock { $0 != nil } }
    return answer.withLock { $0 }
}

extension EngineBench {
    func change(_ body: @Sendable (inout Change) throws -> Void) throws {
        try library?.onThread { library in _ = try library.performChanges(origin: "test", body) }
    }
}
