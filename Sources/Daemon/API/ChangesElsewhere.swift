import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// Changes that neither the history nor the journal has whole, brought back from what else has them.
extension LibraryService {
    /// Writes them into the history, from where the journal gets them.
    func bringChanges(isDryRun: Bool) async throws -> [RepairRow] {
        let unsettled = try await historyFaults().filter { $0.side == .unknown }.map(\.token)
        let (service, token) = (self, journal.state.token)
        return try await verification.pool.run {
            let gaps = try JournalAudit(service.journalReader, upTo: token).gaps
            var wanted: Set<Int64> = []
            for range in gaps + unsettled.map({ $0...$0 }) {
                wanted.formUnion(try service.readers.readNow { try $0.unreadableChanges(among: range) })
            }
            guard !wanted.isEmpty else { return [] }
            return try service.changesElsewhere(wanted).map { try service.bring($0, isDryRun: isDryRun) }
        }
    }

    private func changesElsewhere(_ tokens: Set<Int64>) throws -> [FoundChange] {
        let here = try library.directory.changesInSnapshots(tokens, files: machine.files)
        let left = tokens.subtracting(here.map(\.line.token))
        guard !left.isEmpty, let cloud else { return here }
        let store = cloud.impatient.store
        do {
            try cloud.requireBelief(in: store)
            return here + (try cloud.mirror(through: store).changes(left))
        } catch {
            machine.log(.warning, "the cloud cannot be asked for changes that are lost here: \(error)")
            return here
        }
    }

    private func bring(_ change: FoundChange, isDryRun: Bool) throws -> RepairRow {
        if !isDryRun {
            try library.onThread { try $0.restoreHistory(change) }
            machine.log(
                .notice, "a change that neither history nor journal had whole was brought back",
                ["token": String(change.line.token), "from": change.place])
        }
        var row = RepairRow(isDryRun ? .wouldRepair : .repaired, path: PathBytes("catalogue.sqlite"), sha256: nil)
        row.detail = "change \(change.line.token), which neither catalogue nor journal had whole, from \(change.place)"
        return row
    }
}
