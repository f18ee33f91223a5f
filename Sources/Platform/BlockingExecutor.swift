/// Threads that tasks run on from begin to end, and may block on (SE-0417, `Task(executorPreference:)`).
///
/// A task that mostly waits for the disk is so spared the way from the cooperative pool to a blocking thread and back,
/// and each way is a wait where processors are few.
package final class BlockingExecutor: TaskExecutor {
    private let pool: BlockingPool

    /// As a `BlockingPool`'s.
    package init(name: String, threadCount: Int, begin: @escaping @Sendable () -> Void = {}) {
        pool = BlockingPool(name: name, threadCount: threadCount, begin: begin)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Whether the current task runs where it may block: no other executor is preferred in this program.
    package static var isCurrent: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
}
