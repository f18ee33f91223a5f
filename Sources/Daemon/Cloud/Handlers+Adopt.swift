import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// Taking a store that knows nothing of the library for its own: a person gives up the one that it had.
extension LibraryService {
    /// What the old store had is not lost by this: each original is asked for, and again after ten minutes (RULES R42).
    func adoptStore(_ request: AdoptionRequest, by peer: Peer) async throws -> AdoptionReport {
        let cloud = try requireCloud()
        let counts = try await read { try $0.residencyCounts() }
        func sum(_ residency: Residency) -> CountAndBytes {
            CountAndBytes(count: counts[residency]?.count ?? 0, byteCount: counts[residency]?.byteCount ?? 0)
        }
        var report = AdoptionReport(directory: printable(cloud.directory), copies: sum(.both), alone: sum(.inCloud))
        try await cloud.pool.run { try cloud.adopt(isDryRun: request.isDryRun == true) }
        report.isAdopted = request.isDryRun != true
        if report.isAdopted {
            machine.log(
                .warning, "a person gave up the store of before, and took this one for the library's",
                ["directory": report.directory, "uid": String(peer.uid), "inCloud": String(report.alone.count)])
        }
        return report
    }
}

extension CloudService {
    /// Throws where the store is the library's already, is another's, or does not answer.
    ///
    /// Blocks.
    func adopt(isDryRun: Bool) throws {
        let store = impatient.store
        switch refusal(through: store) {
        case nil:
            throw Problem.conflict(
                "storeKnown", "the cloud in '\(printable(directory))' is this library's already",
                fix: "albumctl cloud status")
        case .notOurs(.vanished):
            guard !isDryRun else { return }
            // Before: a crash between the two leaves no doubt of the old store to the new one.
            tier.forgetDoubts()
            try mirror(through: store).adopt()
            state.update { $0.isAdopted = true }
            keepHistory(through: store)
            if let failure = state.update({ $0.isStoreKnown ? nil : $0.mirrorFailure }) { throw failure }
            wake()
        case .notOurs(let error): throw Problem.conflict("storeOfOthers", "\(error)", fix: error.fix)
        case let error?:
            note(error)
            throw Problem.unavailable(
                "\(error)",
                fix: "see that the directory of the new cloud is there, restart albumd, then albumctl cloud adopt")
        }
    }

    /// Why the store, asked now, is not the library's; nil where it is.
    private func refusal(through store: any ObjectStore) -> TierError? {
        do throws(TierError) {
            try requireBelief(in: store)
            try impatient.requireOurs()
            return nil
        } catch {
            return error
        }
    }
}
