import Cloud
import EngineSupport
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import TestSupport

/// Originals go to a simulated store on the same simulated disk, which loses what was not synced like any other.
extension World {
    /// What the store may do: the first is what it should.
    static let cloudFaults: [SimulatedFaults] = [
        SimulatedFaults(), faulty { $0.isOffline = true }, faulty { $0.errorRate = 0.5 }, faulty { $0.lieRate = 1 },
        faulty { $0.truncateRate = 1 }, faulty { $0.corruptRate = 1 }, faulty { $0.breakRate = 1 },
        faulty { $0.throttleRate = 0.5 }, faulty { $0.quotaBytes = 30_000 },
    ]

    private static func faulty(_ change: (inout SimulatedFaults) -> Void) -> SimulatedFaults {
        var faults = SimulatedFaults()
        change(&faults)
        return faults
    }

    func openCloud() throws {
        guard plan.hasCloud else { return }
        let store = try openStore()
        // As the keeper of the history leaves it before anything is moved.
        if let key = ObjectKey("library/identity") {
            _ = try store.put(key, ObjectBody(Array("\(try library().directory.identifier.uuidString)\n".utf8)))
        }
        cloud = (CloudTier(library: try library(), store: store), store)
    }

    private func openStore() throws -> SimulatedStore {
        let root = try bench.machine.files.openDirectory(bench.path("cloud").bytes)
        let simulation = bench.simulation
        return try SimulatedStore(in: root, machine: bench.machine, seed: plan.seed) { simulation.advance(by: $0) }
    }

    /// Whether the store has these very bytes, whatever it says.
    func isInStore(_ content: Content) throws -> Bool {
        // The faults that are to come are the engine's.
        bench.simulation.files.forgetFaults()
        do {
            return try openStore().head(.original(content.hash)).sha256 == content.hash
        } catch let error as ObjectStoreError where error.kind == .notFound {
            return false
        }
    }

    func withOriginal(_ number: Int, _ body: @escaping (CloudTier, Content) throws -> Void) throws {
        guard let cloud, !isDown else { return }
        let contents = try bench.catalogue().contents(after: nil, limit: .max)
        guard !contents.isEmpty else { return }
        let content = contents[number % contents.count].content
        try engineRuns {
            do {
                try body(cloud.tier, content)
            } catch let error as TierError {
                trace.note("  \(error)")
            }
        }
    }

    func goRound(keepLocal: Int64?) throws {
        guard let cloud, !isDown else { return }
        var policy = CloudPolicy()
        policy.keepLocal = keepLocal
        try engineRuns {
            let round = try cloud.tier.round(policy)
            trace.note("  up \(round.uploaded), away \(round.evicted), back \(round.fetched)")
        }
    }

    /// What was begun of an original that nothing has any more waits for somebody who brings its bytes.
    private func waitingTransfers() throws -> [TransferChange] {
        try bench.catalogue().transfers().filter { !damage.originals.contains($0.hash) }
    }

    /// The store works again: what was begun is ended, and everything can be fetched.
    func settleCloud() throws {
        guard plan.hasCloud else { return }
        for _ in 0..<20 {
            if isDown { start() }
            cloud?.store.faults = SimulatedFaults()
            try goRound(keepLocal: nil)
            if !isDown, try waitingTransfers().isEmpty { break }
        }
        guard !isDown, try waitingTransfers().isEmpty else {
            throw Violation(rule: "I29", "a transfer does not end")
        }
        for version in try bench.catalogue().contents(after: nil, limit: .max) where version.residency == .inCloud {
            try engineRuns { try cloud?.tier.drill(version.content) }
        }
    }
}
