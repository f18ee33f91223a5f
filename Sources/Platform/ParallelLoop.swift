/// Runs the indices of a loop on the calling thread and on the threads of a pool, whichever is free.
///
/// The caller takes part, so that a loop in a loop, or a busy pool, is slower but never stuck.
struct ParallelLoop: Sendable {
    private let pool: BlockingPool
    private let width: Int

    /// A loop on at most `width` threads, the caller's included while it waits.
    init(width: Int) {
        self.width = max(1, width)
        pool = BlockingPool(name: "albumd-work", threadCount: self.width, begin: takeLongTurns)
    }

    /// Returns when all of `0..<count` have run.
    func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            let work = LentWork(count: count, body: body)
            for _ in 0..<max(0, min(width, count) - 1) {
                pool.add { work.takePart() }
            }
            work.takePart()
            work.finish()
        }
    }

    /// Returns at once, while the pool runs `0..<count`; what it returns takes part, and returns when all have run.
    func begin(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> @Sendable () -> Void {
        let work = LentWork(count: count, body: body)
        for _ in 0..<min(width, count) {
            pool.add { work.takePart() }
        }
        return {
            work.takePart()
            work.finish()
        }
    }
}
