import Cloud
import FoundationEssentials
import PhotoModel
import Platform
import TestSupport
import Testing

@Suite struct SimulatedStoreTests {
    @Test(arguments: Conformance.allCases) func itIsAnObjectStore(rule: Conformance) throws {
        try rule.check(try StoreBench().store)
    }

    @Test(arguments: Conformance.allCases) func soItIsWithoutVersions(rule: Conformance) throws {
        let bench = try StoreBench()
        bench.store.faults.keepsVersions = false
        try rule.check(bench.store)
    }

    @Test func whatItAcknowledgedSurvivesAPowerCut() throws {
        let bench = try StoreBench()
        for number in 1...5 { _ = try bench.store.put(try key("ab/\(number)"), body("object \(number)")) }
        bench.simulated.files.cutPower(.everythingUnsynced)
        bench.simulated.files.restart()
        let store = try StoreBench.open(bench.simulated)
        for number in 1...5 { #expect(try store.text(try key("ab/\(number)")) == "object \(number)") }
        #expect(store.usedBytes == bench.store.usedBytes)
    }

    /// A NAS keeps thumbnails beside everything, and lets deleted files live on under other names.
    @Test func whatOthersPutBesideObjectsIsPassedOver() throws {
        let bench = try StoreBench()
        _ = try bench.store.put(try key("ab/x"), body("first"))
        let program = bench.simulated.program
        for directory in ["", "/objects", "/objects/ab", "/objects/ab/x", "/uploads"] {
            for name in ["@eaDir", "lost+found"] { try program.makeDirectory("/cloud\(directory)/\(name)") }
            for name in [".DS_Store", ".nfs0001", "@notes"] { try program.write("/cloud\(directory)/\(name)", "x") }
        }
        let store = try StoreBench.open(bench.simulated)
        #expect(try store.text(try key("ab/x")) == "first")
        _ = try store.put(try key("ab/x"), body("second"))
        #expect(try store.text(try key("ab/x")) == "second")
        #expect(try store.list("", after: nil, limit: 9).map(\.key.text) == ["ab/x"])
        try store.delete(try key("ab/x"))
        #expect(try store.list("", after: nil, limit: 9).isEmpty)
    }

    /// Its descriptor would lead to it still, and prove what nobody finds at its path.
    @Test func aDirectoryThatWasMovedAwayIsUnreachableForEveryVerb() throws {
        let bench = try StoreBench()
        let path = Array("/cloud".utf8)
        let store = try SimulatedStore(
            in: bench.simulated.files.openDirectory(path), at: path, machine: bench.simulated.machine, pause: { _ in })
        _ = try store.put(try key("x"), body("x"))
        try bench.simulated.program.rename(path, to: Array("/away".utf8))
        for isReplaced in [false, true] {
            if isReplaced { try bench.simulated.program.makeDirectory(path) }
            #expect(kind { _ = try store.put(try key("y"), body("y")) } == .unreachable)
            #expect(kind { _ = try store.head(try key("x")) } == .unreachable)
            #expect(kind { _ = try store.text(try key("x")) } == .unreachable)
            #expect(kind { try store.delete(try key("x")) } == .unreachable)
            #expect(kind { _ = try store.list("", after: nil, limit: 1) } == .unreachable)
        }
        try bench.simulated.program.removeDirectory(path)
        try bench.simulated.program.rename(Array("/away".utf8), to: path)
        #expect(try store.text(try key("x")) == "x")
    }

    @Test func offlineIsUnreachableForEveryVerb() throws {
        let bench = try StoreBench()
        _ = try bench.store.put(try key("x"), body("x"))
        bench.store.faults.isOffline = true
        #expect(kind { _ = try bench.store.put(try key("y"), body("y")) } == .unreachable)
        #expect(kind { _ = try bench.store.head(try key("x")) } == .unreachable)
        #expect(kind { _ = try bench.store.text(try key("x")) } == .unreachable)
        #expect(kind { try bench.store.delete(try key("x")) } == .unreachable)
        #expect(kind { _ = try bench.store.list("", after: nil, limit: 1) } == .unreachable)
        bench.store.faults.isOffline = false
        #expect(try bench.store.text(try key("x")) == "x")
    }

    @Test func aLieAcknowledgesAndStoresNothing() throws {
        let bench = try StoreBench()
        bench.store.faults.lieRate = 1
        #expect(try bench.store.put(try key("x"), body("hello")).byteCount == 5)
        #expect(kind { _ = try bench.store.head(try key("x")) } == .notFound)
    }

    @Test func truncatedAndCorruptObjectsShowInHead() throws {
        let bench = try StoreBench()
        bench.store.faults.truncateRate = 1
        _ = try bench.store.put(try key("x"), body("hello!"))
        #expect(try bench.store.head(try key("x")).byteCount == 3)
        bench.store.faults.truncateRate = 0
        bench.store.faults.corruptRate = 1
        _ = try bench.store.put(try key("y"), body("hello!"))
        let head = try bench.store.head(try key("y"))
        #expect(head.byteCount == 6)
        #expect(head.sha256 != body("hello!").sha256)
    }

    @Test func aQuotaRefusesWhatDoesNotFit() throws {
        let bench = try StoreBench()
        bench.store.faults.quotaBytes = 10
        _ = try bench.store.put(try key("x"), body("12345678"))
        #expect(kind { _ = try bench.store.put(try key("y"), body("123")) } == .quotaExceeded)
        _ = try bench.store.put(try key("y"), body("12"))
        try bench.store.delete(try key("x"))
        _ = try bench.store.put(try key("z"), body("12345678"))
    }

    @Test func aListIsBehind() throws {
        let bench = try StoreBench()
        bench.store.faults.listDelay = .seconds(60)
        _ = try bench.store.put(try key("x"), body("x"))
        #expect(try bench.store.list("", after: nil, limit: 9) == [])
        #expect(try bench.store.head(try key("x")).byteCount == 1)
        bench.simulated.advance(by: .seconds(61))
        #expect(try bench.store.list("", after: nil, limit: 9).count == 1)
    }

    @Test func latencyAndBandwidthTakeTheirTime() throws {
        let bench = try StoreBench()
        bench.store.faults.latency = .milliseconds(200)
        bench.store.faults.bytesPerSecond = 1000
        let begun = bench.simulated.machine.uptime()
        _ = try bench.store.put(try key("x"), ObjectBody([UInt8](repeating: 1, count: 3000)))
        #expect(bench.simulated.machine.uptime() - begun == .milliseconds(3200))
    }

    @Test func anOutageComesAndGoes() throws {
        let bench = try StoreBench()
        bench.store.faults.outage = .init(up: .seconds(10), down: .seconds(5))
        let answers = (0..<30).map { _ in
            defer { bench.simulated.advance(by: .seconds(1)) }
            return kind { _ = try bench.store.list("", after: nil, limit: 1) } == nil
        }
        let up = Array(repeating: true, count: 10)
        let down = Array(repeating: false, count: 5)
        #expect(answers == up + down + up + down)
    }

    @Test func theSameSeedFailsInTheSamePlaces() throws {
        func run(_ seed: UInt64) throws -> [Bool] {
            var faults = SimulatedFaults()
            faults.errorRate = 0.3
            let store = try StoreBench(seed: seed, faults: faults).store
            return (0..<50).map { number in kind { _ = try store.put(try key("k\(number)"), body("x")) } == nil }
        }
        #expect(try run(7) == run(7))
        #expect(try run(7) != run(8))
        #expect(try run(7).contains(false))
    }

    @Test func somePutsThatFailHaveStoredTheObject() throws {
        let bench = try StoreBench()
        bench.store.faults.errorRate = 1
        for number in 0..<20 { _ = kind { _ = try bench.store.put(try key("k\(number)"), body("x")) } }
        bench.store.faults.errorRate = 0
        let stored = try bench.store.list("", after: nil, limit: 100).count
        #expect(stored > 0 && stored < 20)
    }

    @Test func objectsAreLostAndCorruptedByCommand() throws {
        let bench = try StoreBench()
        _ = try bench.store.put(try key("x"), body("hello"))
        #expect(try bench.store.corrupt(try key("x")))
        #expect(try bench.store.head(try key("x")).sha256 != body("hello").sha256)
        #expect(try bench.store.lose(try key("x")))
        #expect(kind { _ = try bench.store.head(try key("x")) } == .notFound)
        #expect(try !bench.store.lose(try key("x")))
        #expect(try !bench.store.corrupt(try key("x")))
    }
}
