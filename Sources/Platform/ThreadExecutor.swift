import Glibc
import Synchronization

/// The executor of an actor that lives on one thread of its own, because a C library wants one thread or blocks.
///
/// An actor gives it out as `unownedExecutor` and keeps it. Jobs run in the order in which they came. The thread
/// lives until `shutdown()`, and so does the executor. A simulation takes `inline()`, which has no thread.
package final class ThreadExecutor: SerialExecutor {
    private enum Item: Sendable {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private struct State: Sendable {
        var items: [Item] = []
        /// Whether items are run by whoever brings them: an inline executor, or one that was shut down.
        var isInline: Bool
        /// Whether a thread runs items now (inline only).
        var isDraining = false
        var isStopped = false
        var thread: NamedThread?
    }

    private let state: Monitor<State>
    /// What pthread_self(3) says on the executor's thread; 0 for none.
    private let threadNumber = Atomic<UInt>(0)
    private let isSimulated: Bool

    /// Starts the thread.
    ///
    /// Its name has at most 15 bytes.
    package init(name: String) {
        isSimulated = false
        state = Monitor(State(isInline: false))
        let thread = NamedThread.start(name) { self.run() }
        state.update { $0.thread = thread }
    }

    private init() {
        isSimulated = true
        state = Monitor(State(isInline: true))
    }

    /// An executor that runs everything at once on the thread that brings it; for simulations in one thread.
    ///
    /// What is brought while something runs comes after it, as on a thread. `checkIsolated` believes everybody.
    package static func inline() -> ThreadExecutor { ThreadExecutor() }

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `body` on the thread and returns when it has run; at once if this is that thread.
    ///
    /// Blocks: not for the cooperative pool, and not from a thread for which the executor's own may wait.
    package func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if isSimulated || isOnThread { return try body() }
        var result: Swift.Result<Result, Failure>?
        withoutActuallyEscaping(body) { body in
            // This thread waits until the other has run it: never do two touch what it captures.
            nonisolated(unsafe) let work = { result = Swift.Result { () throws(Failure) in try body() } }
            let lent = LentWork(count: 1) { _ in work() }
            add(.work { lent.takePart() })
            lent.finish()
        }
        guard let result else { preconditionFailure("work that was waited for has not run") }
        return try result.get()
    }

    /// Runs what has been brought, ends the thread and waits for it.
    ///
    /// Not from the thread itself.
    ///
    /// Jobs that come later run on the threads that bring them, still one at a time: no task is left waiting for ever.
    package func shutdown() {
        precondition(!isOnThread, "a thread cannot wait for its own end")
        let thread = state.update { state in
            state.isStopped = true
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }

    /// Called by the runtime where nobody knows the current executor, as for `assumeIsolated` inside `sync`.
    package func checkIsolated() {
        precondition(isSimulated || isOnThread, "called off the thread of the executor")
    }

    private var isOnThread: Bool { threadNumber.load(ordering: .acquiring) == UInt(pthread_self()) }

    private func add(_ item: Item) {
        // The runtime calls by an unowned reference, and the job may let go of the last owned one while this still runs.
        let own = Unmanaged.passRetained(self)
        defer { own.release() }
        let isMine = state.update { state in
            state.items.append(item)
            guard state.isInline, !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        if isMine { drain() }
    }

    /// Runs items until none is left, those included which they bring.
    private func drain() {
        while let item = state.update(takeInline) { perform(item) }
    }

    private func takeInline(_ state: inout State) -> Item? {
        guard state.items.isEmpty else { return state.items.removeFirst() }
        state.isDraining = false
        return nil
    }

    /// The thread's life.
    private func run() {
        threadNumber.store(UInt(pthread_self()), ordering: .releasing)
        while let items = state.wait(takeAll) {
            for item in items { perform(item) }
        }
        threadNumber.store(0, ordering: .releasing)
    }

    /// Nil: keep waiting.
    ///
    /// Some nil: stopped, and nothing is left.
    private func takeAll(_ state: inout State) -> [Item]?? {
        if state.items.isEmpty {
            guard state.isStopped else { return nil }
            state.isInline = true
            return .some(nil)
        }
        defer { state.items = [] }
        return state.items
    }

    private func perform(_ item: Item) {
        switch item {
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .work(let work): work()
        }
    }
}
