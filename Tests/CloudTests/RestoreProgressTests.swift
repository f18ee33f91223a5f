import Cloud
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import Synchronization
import TestSupport
import Testing

/// A restore says how far it is, and goes on where it broke off.
@Suite struct RestoreProgressTests {
    private struct Told: Equatable {
        var step: RestoreStep
        var done: Int64
        var all: Int64
    }

    /// A library whose history is in the store; most of its originals are not.
    private func withMirror(_ name: String = #function, _ body: (TierBench) throws -> Void) throws {
        try withTier(name) { bench in
            for number in 1...100 { try bench.add("photo \(number)", UInt8(number)) }
            try bench.withCatalogue { catalogue in
                let mirror = LibraryMirror(store: bench.store, library: bench.library.directory.identifier)
                _ = try mirror.catchUp(from: try mirror.newestToken(catalogue.history), catalogue.history)
            }
            try body(bench)
        }
    }

    /// What it told, and how it ended; `at` that change of the history the store is out of reach.
    private func restore(_ bench: TierBench, outageAt change: Int64 = .max) throws -> ([Told], RestoreReport?) {
        let told = Mutex<[Told]>([])
        let store = bench.store
        let restored = Result {
            try bench.withSecondDisk("/again") { vfs in
                try CloudRestore(from: store, machine: bench.simulated.machine)
                    .restore(to: Array("/again".utf8), executor: .inline(), vfs: vfs) { step, done, all in
                        told.withLock { $0.append(Told(step: step, done: done, all: all)) }
                        if step == .history, done >= change { store.faults.isOffline = true }
                    }
            }
        }
        store.faults.isOffline = false
        if change == .max { return (told.withLock { $0 }, try restored.get()) }
        #expect(throws: ObjectStoreError.self) { try restored.get() }
        return (told.withLock { $0 }, nil)
    }

    @Test func itSaysHowManyOfHowMany() throws {
        try withMirror { bench in
            let (told, report) = try restore(bench)
            #expect(report?.assets == 100)
            let read = told.filter { $0.step == .history }
            #expect(read.map(\.done) == read.map(\.done).sorted() && Set(read.map(\.all)).count == 1)
            #expect(read.last.map { $0.done == $0.all } == true && read.count > 5)
            #expect(told.last { $0.step == .catalogue }.map { $0.done == $0.all } == true)
            let asked = told.filter { $0.step == .originals }
            #expect(asked.last == Told(step: .originals, done: 100, all: 100) && asked.first?.done == 0)
        }
    }

    /// Half a line may be all that a crash left of the last ones.
    @Test(arguments: [nil, "{\"token\":", "no line\n\n\n"]) func itGoesOnWhereTheHistoryBrokeOff(left: String?) throws {
        try withMirror("goes-on-\(left?.count ?? 0)") { bench in
            _ = try restore(bench, outageAt: 40)
            let begun = Array("/again/journal/restored.ndjson.new".utf8)
            if let left { try bench.simulated.program.append(begun, Array(left.utf8)) }
            let (told, report) = try restore(bench)
            #expect(report?.assets == 100 && report?.lostChanges == 0)
            #expect(try #require(told.first { $0.step == .history }).done >= 40)
            let journal = try bench.simulated.files.openDirectory(Array("/again/journal".utf8))
            let names = try bench.simulated.files.list(journal).map { String(decoding: $0.name, as: UTF8.self) }
            #expect(names.allSatisfy { $0.hasSuffix("-01.ndjson") || !$0.hasPrefix("restored") }, "\(names)")
        }
    }

    /// What is here of another history is thrown away.
    @Test func whatTheStoreHasOtherwiseIsReadAnew() throws {
        try withMirror { bench in
            _ = try restore(bench, outageAt: 40)
            let begun = Array("/again/journal/restored.ndjson.new".utf8)
            let lines = try bench.simulated.program.read(begun)
            let other = withSums(
                withoutSums(String(decoding: lines, as: UTF8.self)).replacing(
                    #""origin":"import""#, with: #""origin":"impost""#))
            try bench.simulated.program.write(begun, Array(other.utf8))
            let (told, report) = try restore(bench)
            #expect(report?.assets == 100)
            #expect(told.first { $0.step == .history && $0.done > 0 }.map { $0.done <= 40 } == true)
        }
    }
}
