import Cloud
import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import Platform
import TestSupport

extension World {
    /// The barrier: what happened before has its outcome, or waits and says why.
    func flush() throws {
        var offline: [PathBytes] = []
        guard try engineRuns({ offline = try bench.flush(atMost: .seconds(3600)).offline }) else { return }
        // Of a folder that could not be looked into nothing was promised.
        guard offline.isEmpty, unmounted.isEmpty else { return }
        bench.simulation.files.forgetFaults()
        try Judge(self).check(isSettled: false)
    }

    /// Every trouble ends; then every file has its outcome, and everything holds.
    func settle() throws {
        bench.simulation.files.configure { $0.capacity = 1 << 40 }
        bench.crashes.disarm()
        bench.simulation.files.forgetFaults()
        try mount()
        for path in writers.keys.sorted() { try perform(.finishWriting(path)) }
        try comeToRest()
        try settleDamage()
        try settleCloud()
        try Judge(self).check(isSettled: true)
        // What was removed may have had other names, whose status has changed by that.
        if plan.movesCards || plan.removesDeleted { try engineRuns { try bench.scan() } }
        try checkAbsences()
        try checkFixpoint()
        try checkRecovery()
    }

    /// What is broken is found and mended, as far as anything still has the bytes; then every file is looked at again.
    private func settleDamage() throws {
        guard damage.isAny else { return }
        cloud?.store.faults = SimulatedFaults()
        try verify(isDeep: true)
        try repair()
        try comeToRest()
        if let hash = try mendable().min() {
            throw Violation(rule: "I1", "\(hash.hexadecimal) could be repaired, and was not, with nothing in the way")
        }
    }

    private func comeToRest() throws {
        for _ in 0..<50 {
            if isDown { start() }
            if try library().onThread({ $0.isReadOnly }) { end() }
            let isScanned = try engineRuns {
                try bench.scan()
                try bench.run(for: .seconds(30))
            }
            if isScanned, bench.board.candidates().isEmpty, try hasLookedTwice() { return }
            try engineRuns { try bench.run(for: .seconds(60)) }
        }
        throw Violation(rule: "I25", "still waiting: \(bench.board.candidates().map { "\($0.key.path) \($0.reason)" })")
    }

    /// What only scans can miss is missed by two, a minute apart (RULES R35).
    private func hasLookedTwice() throws -> Bool {
        try engineRuns {
            try bench.run(for: .seconds(70))
            try bench.flush()
        }
    }

    /// A second scan without a change changes nothing (I31).
    private func checkFixpoint() throws {
        let before = try bench.catalogue().lastToken()
        let unlinks = bench.simulation.files.callCount(.unlink)
        guard try engineRuns({ try bench.scan() }) else { throw Violation(rule: "I31", "the scan died") }
        let after = try bench.catalogue().lastToken()
        guard before == after, unlinks == bench.simulation.files.callCount(.unlink) else {
            let lines = try bench.catalogue().history(after: before, limit: 3).map(\.changes)
            throw Violation(rule: "I31", "a scan without a change made changes: \(lines)")
        }
    }

    /// Recovery of a library that was left in order changes nothing, and nor does another one (I12).
    private func checkRecovery() throws {
        var dumps: [[String]] = [try dump()]
        for _ in 0..<2 {
            end()
            start()
            dumps.append(try dump())
        }
        guard let difference = firstDifference(dumps[0], dumps[1]) ?? firstDifference(dumps[1], dumps[2]) else {
            return
        }
        throw Violation(rule: "I12", "recovery changed the catalogue: \(difference)")
    }

    func dump(vfs: String? = nil) throws -> [String] {
        try dumpCatalogue(at: try library().directory.cataloguePath, vfs: vfs ?? bench.vfsName)
    }

    /// The tables are those that the history makes, as a deep verification holds them against each other.
    func checkTables() throws {
        bench.simulation.files.forgetFaults()
        let audit = try TableAudit(of: try library().directory, machine: bench.machine, vfs: bench.vfsName)
        while true {
            switch try audit.advance() {
            case .going: continue
            case .compared(let found):
                guard let first = found.first else { return }
                throw Violation(rule: "I6", "the history makes another catalogue: \(first.sentence)")
            case .notComparable(let why): throw Violation(rule: "I6", "the history makes no catalogue: \(why)")
            }
        }
    }

    /// The journal, applied to an empty catalogue, gives the same library.
    func checkJournal() throws {
        let expected = try dump()
        end()
        let fresh = SimulatedVFS(name: "replay-\(bench.vfsName ?? "")")
        defer { fresh.remove() }
        try makeEmptyCatalogue(on: fresh)
        let replayed = try PhotoLibrary.open(
            bench.libraryPath, machine: bench.machine, executor: .inline(), vfs: fresh.name)
        defer { replayed.onThread { $0.close() } }
        let found = try dumpCatalogue(at: replayed.directory.cataloguePath, vfs: fresh.name)
        if let difference = firstDifference(expected.filter(isJournaled), found.filter(isJournaled)) {
            throw Violation(rule: "I6", "the journal gives another library: \(difference)")
        }
    }

    private func makeEmptyCatalogue(on vfs: SimulatedVFS) throws {
        let other = SimulatedMachine(seed: 1)
        other.files.configure { [owner = bench.simulation.files.settings.owner] in $0.owner = owner }
        let library = try PhotoLibrary.open(
            bench.libraryPath, machine: other.machine, executor: .inline(), vfs: vfs.name)
        library.onThread { $0.close() }
    }
}
