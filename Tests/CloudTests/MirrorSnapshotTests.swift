import FoundationEssentials
import Glibc
import PhotoModel
import PhotoStore
import Platform
import TestSupport
import Testing

@testable import Cloud

/// Copies of the catalogue in the store, on a real disk, which the file verbs and SQLite share.
@Suite struct MirrorSnapshotTests {
    @Test func aRestoreNeedsNoHistoryFromBeforeTheSnapshot() throws {
        try withRealLibrary { bench in
            try bench.add(1...20)
            try bench.mirror()
            try bench.keepSnapshot()
            try bench.add(21...25)
            try bench.mirror()
            // The history from before is gone from the store, or damaged.
            let segments = try MirrorSegment.all(in: bench.store)
            let token = try #require(try MirrorSnapshot.all(in: bench.store).first?.snapshot.token)
            let old = segments.filter { $0.tokens.upperBound <= token }
            try #require(old.count >= 2 && segments.count > old.count)
            _ = try bench.store.lose(old[0].key)
            _ = try bench.store.put(old[1].key, ObjectBody(Array("no history\n".utf8)))
            let report = try bench.restore("again")
            #expect(report.assets == 25)
            #expect(report.token >= segments.last?.tokens.upperBound ?? 0)
            try bench.withLibrary("again") { again in
                let assets = try again.onThread { try $0.counts().assets }
                #expect(assets == 25)
            }
        }
    }

    @Test func aRestoreThatFailedCanBeDoneAgain() throws {
        try withRealLibrary { bench in
            try bench.add(1...3)
            try bench.mirror()
            try bench.keepSnapshot()
            try bench.add(4...40)
            try bench.mirror()
            let last = try #require(try MirrorSegment.all(in: bench.store).last?.key)
            bench.store.faults.throttleRate = 1
            #expect(throws: ObjectStoreError.self) { try bench.restore("again") }
            bench.store.faults.throttleRate = 0
            let lines = try bench.store.text(last)
            _ = try bench.store.put(last, ObjectBody(Array("half\n".utf8)))
            let refusal = #expect(throws: MirrorError.self) { try bench.restore("again") }
            #expect(refusal?.description.contains("\(last) is damaged or not there") == true)
            _ = try bench.store.put(last, ObjectBody(Array(lines.utf8)))
            #expect(try bench.restore("again").assets == 40)
        }
    }

    @Test func withoutASnapshotAGapIsSaid() throws {
        try withRealLibrary { bench in
            try bench.add(1...20)
            try bench.mirror()
            let segments = try MirrorSegment.all(in: bench.store)
            try #require(segments.count >= 2)
            _ = try bench.store.lose(segments[0].key)
            // The one that is wanting, not the sound one after it.
            let refusal = #expect(throws: MirrorError.self) { try bench.restore("again") }
            #expect(refusal?.description.contains("\(segments[0].key) is damaged or not there") == true)
        }
    }

    @Test func aSnapshotWithOtherBytesIsPassedOver() throws {
        try withRealLibrary { bench in
            try bench.keepTwoSnapshots()
            let stored = try MirrorSnapshot.all(in: bench.store).map(\.snapshot)
            #expect(stored.count == 2)
            _ = try bench.store.corrupt(stored[0].key)
            #expect(try bench.restore("again").assets == 6)
            _ = try bench.store.lose(stored[1].key)
            #expect(try bench.restore("once more").assets == 6)
        }
    }

    @Test func aSnapshotIsToldWithItsSizeAndIsNotBroughtTwice() throws {
        try withRealLibrary { bench in
            try bench.keepTwoSnapshots()
            let stored = try MirrorSnapshot.all(in: bench.store)
            var found: [ObjectKey: Int64] = [:]
            try bench.check { found[$0.key] = $0.byteCount }
            #expect(stored.map { found[$0.snapshot.key] } == stored.map(\.facts.byteCount))
            let (steps, store) = (Monitor<[RestoreStep]>([]), bench.store)
            #expect(throws: ObjectStoreError.self) {
                try bench.restore("again") { step, _, _ in
                    steps.update { $0.append(step) }
                    if step == .history { store.faults.isOffline = true }
                }
            }
            #expect(steps.update { $0 }.contains(.snapshot))
            store.faults.isOffline = false
            steps.update { $0 = [] }
            let report = try bench.restore("again") { step, _, _ in steps.update { $0.append(step) } }
            #expect(report.assets == 6 && !steps.update { $0 }.contains(.snapshot))
        }
    }

    /// Written again where the library has it, else deleted: no restore would take it.
    @Test func aSnapshotThatRotIsWrittenAgainOrDeleted() throws {
        try withRealLibrary { bench in
            try bench.keepTwoSnapshots()
            let stored = try MirrorSnapshot.all(in: bench.store).map(\.snapshot.key)
            for key in stored { _ = try bench.store.corrupt(key) }
            var found: [ObjectKey: MirrorFinding.Outcome] = [:]
            try bench.check { found[$0.key] = $0.outcome }
            #expect(stored.map { found[$0] } == [.writtenAgain, .deleted])
            #expect(try MirrorSnapshot.all(in: bench.store).map(\.snapshot.key) == [stored[0]])
            _ = try bench.store.lose(try #require(try MirrorSegment.all(in: bench.store).first?.key))
            #expect(try bench.restore("again").assets == 6)
        }
    }

    @Test func threeAreKeptAndOneThatIsNotProvenTakesNoOtherAway() throws {
        try withRealLibrary { bench in
            for day in 1...5 {
                try bench.add(day...day)
                try bench.mirror()
                try bench.keepSnapshot()
                // Once more brings nothing new.
                try bench.keepSnapshot()
                bench.simulated.advance(by: .seconds(2 * 86_400))
            }
            let stored = try MirrorSnapshot.all(in: bench.store).map(\.snapshot.token)
            #expect(stored.count == 3 && stored == stored.sorted(by: >))
            try bench.add(6...6)
            try bench.mirror()
            bench.store.faults.corruptRate = 1
            #expect(throws: MirrorError.self) { try bench.keepSnapshot() }
            let after = try MirrorSnapshot.all(in: bench.store).map(\.snapshot.token)
            #expect(Set(stored).isSubset(of: after))
        }
    }
}

/// A library and a store on the real disk, with a clock that a test moves.
private final class RealBench {
    let simulated = SimulatedMachine()
    let machine: Machine
    let store: SimulatedStore
    private let scratch: ScratchFolder
    private let library: PhotoLibrary

    init(in scratch: ScratchFolder) throws {
        self.scratch = scratch
        var machine = simulated.machine
        machine.files = LinuxFiles()
        self.machine = machine
        try #require(mkdir(scratch.path("cloud"), 0o700) == 0)
        let root = try machine.files.openDirectory(Array(scratch.path("cloud").utf8))
        store = try SimulatedStore(in: root, machine: machine, faults: SimulatedFaults(), seed: 1) { _ in }
        library = try PhotoLibrary.open(Array(scratch.path("library").utf8), machine: machine, executor: .inline())
    }

    deinit { library.onThread { $0.close() } }

    /// Some assets, each in a change of its own, without bytes to look at.
    func add(_ numbers: ClosedRange<Int>) throws {
        for number in numbers {
            let text = "photo \(number)"
            let content = try TierBench.content(text)
            try library.onThread { library in
                let staged = try library.directory.originals.stage()
                try writeBytes(staged.file, Array(text.utf8), files: library.machine.files, at: 0)
                _ = try library.publish([StagedContent(content: content, staged: staged)], origin: "import") { change in
                    let creation = AssetCreation(
                        localIdentifier: TierBench.identifier(UInt8(number)), mediaType: .image,
                        creationDate: change.date, creationDateSource: .added, resourceType: .photo,
                        originalFilename: PathBytes("\(number).jpg"), content: content)
                    try change.perform(.createAsset(creation))
                }
            }
        }
    }

    func mirror() throws {
        try withCatalogue { catalogue in
            _ = try libraryMirror.catchUp(from: try libraryMirror.newestToken(catalogue.history), catalogue.history)
        }
    }

    /// Six photos, three before each of two snapshots, two days apart.
    func keepTwoSnapshots() throws {
        try add(1...3)
        try mirror()
        try keepSnapshot()
        try add(4...6)
        try mirror()
        simulated.advance(by: .seconds(2 * 86_400))
        try keepSnapshot()
    }

    /// The day's snapshot is made where it is due, and the newest comes to the store.
    func keepSnapshot() throws {
        try withCatalogue { try library.directory.keepSnapshots(of: $0, machine: machine) }
        let date = try #require(try library.directory.newestSnapshot(files: machine.files))
        let snapshot = try #require(try library.directory.dailySnapshot(of: date, machine: machine))
        try libraryMirror.keep(snapshot, files: machine.files)
    }

    func check(_ tell: (MirrorFinding) -> Void) throws {
        try withCatalogue { catalogue in
            let check = MirrorCheck(libraryMirror, catalogue.history, files: machine.files) { [self] in
                try library.directory.newestSnapshot(files: machine.files).flatMap {
                    try library.directory.dailySnapshot(of: $0, machine: machine)
                }
            }
            try check.all(upTo: try catalogue.lastToken()) { finding in
                tell(finding)
                return true
            }
        }
    }

    private var libraryMirror: LibraryMirror {
        LibraryMirror(store: store, library: library.directory.identifier)
    }

    @discardableResult
    func restore(_ name: String, progress: @escaping RestoreProgress = { _, _, _ in }) throws -> RestoreReport {
        try CloudRestore(from: store, machine: machine)
            .restore(to: Array(scratch.path(name).utf8), executor: .inline(), progress: progress)
    }

    func withLibrary(_ name: String, _ body: (PhotoLibrary) throws -> Void) throws {
        let again = try PhotoLibrary.open(
            Array(scratch.path(name).utf8), machine: machine, executor: .inline())
        defer { again.onThread { $0.close() } }
        try body(again)
    }

    private func withCatalogue(_ body: (Catalogue) throws -> Void) throws {
        let catalogue = try Catalogue.openForReading(at: library.directory.cataloguePath)
        defer { catalogue.close() }
        try body(catalogue)
    }
}

private func withRealLibrary(_ test: String = #function, _ body: (RealBench) throws -> Void) throws {
    try withScratchFolder(test) { scratch in try body(try RealBench(in: scratch)) }
}
