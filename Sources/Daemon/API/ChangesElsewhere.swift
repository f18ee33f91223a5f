import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// What a look for changes came to that neither the history nor the journal has whole.
struct BroughtChanges: Sendable {
    var rows: [RepairRow] = []
    /// Those that the catalogue was made without: their rows are not there.
    var unmade: Set<Int64> = []
    /// What stays lost, and no line of the journal says so yet.
    var lost: [Int64] = []
    /// Whether every place was asked for them.
    var wasAskedEverywhere = true
}

/// Changes that neither the history nor the journal has whole, brought back from what else has them.
extension LibraryService {
    /// Writes them into the history, from where the journal gets them.
    ///
    /// What stands for a lost change in the history, or in the journal, is no change.
    func bringChanges(isDryRun: Bool) async throws -> BroughtChanges {
        let faults = try await historyFaults()
        let unsettled = faults.filter { $0.side == .unknown }.map(\.token)
        let isHere = Set(faults.filter { $0.side == .history }.map(\.token))
        let (service, token) = (self, journal.state.token)
        return try await verification.pool.run {
            let audit = try JournalAudit(service.journalReader, upTo: token)
            let lost = try service.readers.readNow { try $0.lostTokens() }
            var wanted = lost
            for range in audit.gaps + unsettled.map({ $0...$0 }) {
                wanted.formUnion(try service.readers.readNow { try $0.unreadableChanges(among: range) })
            }
            wanted.subtract(isHere)
            var brought = BroughtChanges()
            brought.unmade = lost.intersection(isHere)
            guard !wanted.isEmpty else { return brought }
            let (found, isAll) = try service.changesElsewhere(wanted)
            brought.rows = try found.map { try service.bring($0, isDryRun: isDryRun) }
            brought.unmade.formUnion(lost.intersection(found.map(\.line.token)))
            brought.lost = lost.subtracting(brought.unmade).filter { !audit.isGivenUp($0) }.sorted()
            brought.wasAskedEverywhere = isAll
            return brought
        }
    }

    /// Those that were found, and whether the cloud, where there is one, could be asked.
    private func changesElsewhere(_ tokens: Set<Int64>) throws -> (found: [FoundChange], isAll: Bool) {
        let here = try library.directory.changesInSnapshots(tokens, files: machine.files)
        let left = tokens.subtracting(here.map(\.line.token))
        guard !left.isEmpty, let cloud else { return (here, true) }
        let store = cloud.impatient.store
        do {
            try cloud.requireBelief(in: store)
            return (here + (try cloud.mirror(through: store).changes(left)), true)
        } catch {
            machine.log(.warning, "the cloud cannot be asked for changes that are lost here: \(error)")
            return (here, false)
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

    /// The journal says from now on that a change is lost, beside what is left of its line; not where a place was not asked
    /// that may have it.
    ///
    /// Blocks.
    func giveUp(_ token: Int64, wasAskedEverywhere isAsked: Bool, isDryRun: Bool) throws -> RepairRow {
        if isAsked, !isDryRun {
            _ = try journal.restore([token...token])
            machine.log(.warning, "a change is lost: no place has it whole", ["token": String(token)])
        }
        var row = RepairRow(isAsked ? .lost : .failed, path: PathBytes("journal"), sha256: nil)
        row.detail =
            isAsked
            ? "change \(token), and what it named: neither catalogue, journal, snapshots nor the cloud has it whole"
            : "change \(token) is lost here, and the cloud, which may have it, cannot be asked now"
        row.fix =
            isAsked
            ? "if a backup has it: stop albumd, put the backup's file into journal/, start albumd, then albumctl repair"
            : "albumctl cloud status, then albumctl repair"
        return row
    }
}

extension JournalAudit {
    /// Whether the journal says of a change that it is lost, and has no other line of it.
    func isGivenUp(_ token: Int64) -> Bool { givenUp.contains { $0.contains(token) } }
}
