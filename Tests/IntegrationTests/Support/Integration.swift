import Platform
import Testing

/// The tests of the real daemon, one after the other: each may use the whole machine, and some change what all share.
@Suite(.serialized) enum Integration {}

/// The thread that they run on. They block, and would otherwise take the threads that other tests' tasks need.
@globalActor actor BlockingThread {
    static let shared = BlockingThread()
    private nonisolated let executor = ThreadExecutor(name: "integration")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
