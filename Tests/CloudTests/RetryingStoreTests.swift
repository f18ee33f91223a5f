import Cloud
import PhotoModel
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct RetryingStoreTests {
    private func retrying(_ bench: StoreBench, patience: Duration? = nil) -> RetryingStore {
        RetryingStore(bench.store, machine: bench.simulated.machine, patience: patience) { wait, _ in
            bench.simulated.advance(by: wait)
            return true
        }
    }

    @Test(arguments: Conformance.allCases) func itIsAnObjectStore(rule: Conformance) throws {
        try rule.check(retrying(try StoreBench()))
    }

    /// Every request fails nine times of ten, and each verb answers in the end (CASES T02).
    @Test(arguments: Conformance.allCases) func soItIsOverOneThatHardlyWorks(rule: Conformance) throws {
        let bench = try StoreBench()
        bench.store.faults.throttleRate = 0.5
        bench.store.faults.errorRate = 0.8
        bench.store.faults.breakRate = 0.5
        try rule.check(retrying(bench))
    }

    @Test func anOutageIsWaitedFor() throws {
        let bench = try StoreBench()
        let begun = bench.simulated.machine.uptime()
        let store = RetryingStore(bench.store, machine: bench.simulated.machine, patience: nil) { wait, _ in
            bench.simulated.advance(by: wait)
            if bench.simulated.machine.uptime() - begun > .seconds(86_400) { bench.store.faults.isOffline = false }
            return true
        }
        bench.store.faults.isOffline = true
        _ = try store.put(try key("x"), body("x"))
        #expect(bench.simulated.machine.uptime() - begun > .seconds(86_400))
    }

    @Test func itComesSeldomerEachTimeAndNotSoonerThanItWasAsked() {
        var backOff = BackOff()
        let waits = (0..<20).map { _ in backOff.next(after: ObjectStoreError(.unavailable, ""), random: 512) }
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.last.map { $0 <= .seconds(60) } ?? false)
        var patient = BackOff()
        let asked = ObjectStoreError(.throttled, "", retryAfter: .seconds(90))
        #expect(patient.next(after: asked, random: 0) == .seconds(90))
    }

    @Test func anAnswerIsNotAskedForAgain() throws {
        let bench = try StoreBench()
        let before = bench.simulated.machine.uptime()
        #expect(kind { _ = try retrying(bench).head(try key("none")) } == .notFound)
        #expect(bench.simulated.machine.uptime() == before)
    }

    @Test func patienceEnds() throws {
        let bench = try StoreBench()
        bench.store.faults.isOffline = true
        let begun = bench.simulated.machine.uptime()
        #expect(kind { _ = try retrying(bench, patience: .seconds(15)).head(try key("x")) } == .unreachable)
        #expect(bench.simulated.machine.uptime() - begun <= .seconds(15))
    }

    @Test func aStoreThatIsAwayIsWaitedForOnceAndNotForEachVerb() throws {
        let bench = try StoreBench()
        let store = retrying(bench, patience: .seconds(15))
        bench.store.faults.isOffline = true
        var begun = bench.simulated.machine.uptime()
        for number in 1...1000 { #expect(kind { _ = try store.head(try key("\(number)")) } == .unreachable) }
        #expect(bench.simulated.machine.uptime() - begun <= .seconds(20))
        // Once it has answered, it is waited for again.
        bench.store.faults.isOffline = false
        _ = try store.put(try key("x"), body("x"))
        bench.store.faults.isOffline = true
        begun = bench.simulated.machine.uptime()
        #expect(kind { _ = try store.head(try key("x")) } == .unreachable)
        #expect(bench.simulated.machine.uptime() - begun > .seconds(5))
    }

    /// As the history is, in the midst of an upload that the store never takes.
    @Test func whatOthersAreAnsweredMeanwhileLengthensNoWait() throws {
        let bench = try StoreBench()
        let inner = Mutex<RetryingStore?>(nil)
        let other = try key("none")
        let begun = bench.simulated.machine.uptime()
        let store = RetryingStore(bench.store, machine: bench.simulated.machine, patience: .seconds(60)) { wait, _ in
            bench.simulated.advance(by: wait)
            bench.store.faults.errorRate = 0
            let answer = try? inner.withLock { $0 }?.head(other)
            #expect(answer == nil)
            bench.store.faults.errorRate = 1
            return bench.simulated.machine.uptime() < begun + .seconds(600)
        }
        inner.withLock { $0 = store }
        bench.store.faults.errorRate = 1
        #expect(kind { _ = try store.put(try key("x"), body("x")) } == .unavailable)
        #expect(bench.simulated.machine.uptime() - begun <= .seconds(60))
    }

    /// Who has a minute of patience asks so often in it that a bad store answers all the same.
    @Test func aStoreThatFailsHalfOfTheTimeAnswersEveryVerb() throws {
        let bench = try StoreBench()
        let store = retrying(bench, patience: .seconds(60))
        bench.store.faults.errorRate = 0.5
        for number in 1...500 { #expect(kind { _ = try store.head(try key("\(number)")) } == .notFound) }
    }

    @Test func aFullStoreIsNotWaitedForAgainForAnsweringOtherVerbs() throws {
        let bench = try StoreBench()
        let store = retrying(bench, patience: .seconds(15))
        bench.store.faults.quotaBytes = 1
        let begun = bench.simulated.machine.uptime()
        for number in 1...100 {
            #expect(kind { _ = try store.put(try key("\(number)"), body("four")) } == .quotaExceeded)
            #expect(kind { _ = try store.head(try key("none")) } == .notFound)
        }
        #expect(bench.simulated.machine.uptime() - begun <= .seconds(20))
    }

    @Test func whoGivesUpWhileWaitingHasCancelled() throws {
        let bench = try StoreBench()
        bench.store.faults.isOffline = true
        let store = RetryingStore(bench.store, machine: bench.simulated.machine, patience: nil) { _, _ in false }
        #expect(kind { try store.delete(try key("x")) } == .cancelled)
    }

    @Test func aDownloadGoesOnWhereItBrokeOff() throws {
        let bench = try StoreBench()
        let bytes = [UInt8](repeating: 7, count: 8 << 20)
        _ = try bench.store.put(try key("big"), ObjectBody(bytes))
        bench.store.faults.breakRate = 0.7
        var got = 0
        try retrying(bench).get(try key("big"), from: 0) { got += $0.count }
        #expect(got == bytes.count)
    }
}
