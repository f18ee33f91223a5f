import Glibc
import Platform
import Synchronization
import Testing

/// An actor on its own thread, as the library is.
private actor Counter {
    private let executor: ThreadExecutor
    private(set) var seen: [Int] = []

    init(_ executor: ThreadExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add(_ value: Int) { seen.append(value) }

    func startTasks(_ count: Int) -> [Task<Void, Never>] {
        let tasks = (0..<count).map { value in Task { add(value) } }
        seen.append(-1)
        return tasks
    }

    func thread() -> UInt { UInt(pthread_self()) }
}

@Suite struct ThreadExecutorTests {
    @Test func workRunsInTheOrderInWhichItCame() {
        let executor = ThreadExecutor(name: "order")
        let seen = Mutex<[Int]>([])
        for value in 0..<100 {
            executor.sync { seen.withLock { $0.append(value) } }
        }
        executor.shutdown()
        #expect(seen.withLock { $0 } == Array(0..<100))
    }

    @Test func anActorStaysOnTheThreadOfItsExecutor() async {
        let executor = ThreadExecutor(name: "actor")
        let counter = Counter(executor)
        let first = await counter.thread()
        await withTaskGroup { group in
            for value in 0..<50 { group.addTask { await counter.add(value) } }
        }
        #expect(await counter.thread() == first)
        #expect(await counter.seen.sorted() == Array(0..<50))
        executor.shutdown()
    }

    @Test func syncWorkMayAssumeItsActorsIsolation() {
        let executor = ThreadExecutor(name: "assume")
        let counter = Counter(executor)
        let seen = executor.sync {
            counter.assumeIsolated {
                $0.add(7)
                return $0.seen
            }
        }
        #expect(seen == [7])
        executor.shutdown()
    }

    @Test func syncFromInsideRunsAtOnce() {
        let executor = ThreadExecutor(name: "inside")
        #expect(executor.sync { executor.sync { executor.sync { 3 } } } == 3)
        executor.shutdown()
    }

    @Test func syncThrowsWhatItsBodyThrows() {
        let executor = ThreadExecutor(name: "throws")
        let failure = FileError(code: EIO, verb: "test")
        #expect(throws: failure) {
            try executor.sync { () throws(FileError) in throw failure }
        }
        executor.shutdown()
    }

    @Test func workBroughtAfterShutdownStillRuns() async {
        let executor = ThreadExecutor(name: "late")
        let counter = Counter(executor)
        executor.shutdown()
        await counter.add(1)
        #expect(await counter.seen == [1])
        #expect(executor.sync { 5 } == 5)
    }

    @Test func anInlineExecutorRunsOnTheCallersThread() {
        let executor = ThreadExecutor.inline()
        let counter = Counter(executor)
        counter.assumeIsolated { $0.add(1) }
        executor.sync { counter.assumeIsolated { $0.add(2) } }
        #expect(counter.assumeIsolated { $0.seen } == [1, 2])
    }

    @Test func anInlineExecutorFinishesAJobBeforeTheNext() async {
        let counter = Counter(ThreadExecutor.inline())
        for task in await counter.startTasks(3) { await task.value }
        let seen = await counter.seen
        #expect(seen == [-1, 0, 1, 2])
    }
}

@Suite struct BlockingPoolTests {
    @Test func resultsAndErrorsComeBack() async throws {
        let pool = BlockingPool(name: "pool", threadCount: 2)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for value in 1...20 { group.addTask { try await pool.run { value } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 210)
        await #expect(throws: FileError(code: ENOENT, verb: "x")) {
            try await pool.run { throw FileError(code: ENOENT, verb: "x") }
        }
        pool.shutdown()
    }

    @Test func oneThreadWorksFirstComeFirstServed() {
        let pool = BlockingPool(name: "fifo", threadCount: 1)
        let seen = Monitor<[Int]>([])
        for value in 0..<50 { pool.add { seen.update { $0.append(value) } } }
        pool.shutdown()
        #expect(seen.update { $0 } == Array(0..<50))
    }
}

@Suite struct MachineLiveTests {
    @Test func concurrentlyRunsEveryIndexOnce() {
        let machine = Machine.live(log: .silent)
        let seen = Monitor([Int](repeating: 0, count: 500))
        machine.concurrently(500) { index in seen.update { $0[index] += 1 } }
        machine.concurrently(0) { _ in seen.update { $0[0] += 1 } }
        #expect(seen.update { $0 }.allSatisfy { $0 == 1 })
    }

    @Test func aLoopThatWasBegunHasRunEveryIndexOnceWhenItIsFinished() {
        let machine = Machine.live(log: .silent)
        let seen = Monitor([Int](repeating: 0, count: 500))
        let loops = (0..<3).map { _ in machine.beginLoop(500) { index in seen.update { $0[index] += 1 } } }
        for finish in loops { finish() }
        #expect(seen.update { $0 }.allSatisfy { $0 == 3 })
    }

    @Test func aLoopInsideALoopEnds() {
        let machine = Machine.live(log: .silent)
        let count = Monitor(0)
        machine.concurrently(8) { _ in
            machine.concurrently(8) { _ in count.update { $0 += 1 } }
        }
        #expect(count.update { $0 } == 64)
    }

    @Test func uptimeNeverRunsBackwards() {
        let machine = Machine.live(log: .silent)
        let before = machine.uptime()
        #expect(machine.uptime() >= before)
        #expect(before > .zero)
    }
}

@Suite struct CrashPointTests {
    @Test func theProcessDiesWhenItsMilestoneIsReachedOftenEnough() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            setenv("ALBUMD_CRASH_AT", "staged:2", 1)
            let machine = Machine.live(log: .silent)
            try machine.reach(.staged)
            try machine.reach(.sourceOpened)
            try machine.reach(.staged)
        }
    }

    @Test func theProcessLivesBeforeThat() async {
        await #expect(processExitsWith: .success) {
            setenv("ALBUMD_CRASH_AT", "staged:2", 1)
            let machine = Machine.live(log: .silent)
            try machine.reach(.staged)
            try machine.reach(.sourceOpened)
        }
    }
}
