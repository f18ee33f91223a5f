import Control
import PhotoModel
import PhotoStore
import Platform

/// Changes that journal and history do not have alike, found and mended.
extension LibraryService {
    var journalReader: JournalReader { JournalReader(files: machine.files, directory: library.directory.journal) }

    func historyFaults() async throws -> [HistoryFault] {
        let (readers, reader, newest) = (readers, journalReader, journal.state.token)
        return try await verification.pool.run {
            var audit = try HistoryAudit(reader, upTo: newest)
            var isMore = true
            while isMore { (audit, isMore) = try readers.readNow { [audit] in try audit.advanced(in: $0) } }
            return audit.faults
        }
    }

    /// Writes the side that is wrong once more.
    ///
    /// Blocks.
    func mend(_ fault: HistoryFault, isDryRun: Bool) throws -> RepairRow {
        func row(_ outcome: RepairRow.Outcome, _ detail: String) -> RepairRow {
            let place = fault.side == .history ? "catalogue.sqlite" : "journal"
            var row = RepairRow(outcome, path: PathBytes(place), sha256: nil)
            row.detail = detail
            return row
        }
        let right = fault.side == .history ? "journal" : "catalogue"
        let what = "change \(fault.token), as the \(right) has it"
        switch fault.side {
        case _ where isDryRun && fault.side != .unknown: return row(.wouldRepair, what)
        case .history:
            let isMended = try library.onThread { try $0.mendHistory(fault) }
            machine.log(
                .notice, "a change of the history was written from the journal",
                ["token": String(fault.token), "line": printable(fault.historyText ?? [])])
            return row(isMended ? .repaired : .failed, what)
        case .journal:
            // First the right line, so that a crash leaves both.
            _ = try journal.restore([fault.token...fault.token])
            let isMended = try library.directory.blankOut(fault, files: machine.files)
            machine.log(
                .notice, "a damaged line of the journal was replaced",
                ["token": String(fault.token), "line": printable(fault.journalText)])
            return row(isMended ? .repaired : .failed, what)
        case .unknown:
            var row = row(.failed, fault.difference)
            row.fix = fault.advice
            return row
        }
    }
}

extension [HistoryFault] {
    /// Those of which nobody can know, decided by a person; what that side does not have, or has twice, stays.
    func settled(by side: HistorySide?) -> [HistoryFault] {
        guard let side else { return self }
        let open = filter { $0.side == .unknown }
        return map { fault in
            let isTwice = open.contains { $0.token == fault.token && $0.journalLine != fault.journalLine }
            var fault = fault
            switch (fault.side, side) {
            case (.unknown, .catalogue) where fault.historyLine != nil: fault.side = .journal
            case (.unknown, .journal) where fault.journalLine != nil && !isTwice: fault.side = .history
            default: break
            }
            return fault
        }.inOrderOfMending
    }
}

extension HistoryFindings {
    /// What a comparison of journal and history found, all of it.
    mutating func take(_ faults: [HistoryFault]) {
        differing = faults.count { $0.side == .unknown }
        damaged = faults.count - differing
    }
}

extension HistoryFault {
    static let advice =
        "compare both with journal/ and snapshots/ of a backup, then take the side that is right: "
        + "albumctl repair --history catalogue, or --history journal"

    /// Where one side has nothing that could be taken, the other is named.
    var advice: String {
        func left(_ side: HistorySide) -> String {
            "compare it with a backup's, then take what is left of it: albumctl repair --history \(side.rawValue)"
        }
        return switch (historyLine == nil, journalLine == nil) {
        case (false, false): HistoryFault.advice
        case (true, false): left(.journal)
        case (false, true): left(.catalogue)
        case (true, true): "put journal/ and catalogue.sqlite back from a backup, with albumd stopped"
        }
    }

    /// For a person: where the two texts part.
    var difference: String {
        let own = historyText ?? []
        let start = max(0, zip(own, journalText).prefix { $0 == $1 }.count - 30)
        func part(_ text: [UInt8]) -> String { printable(Array(text.dropFirst(start).prefix(100))) }
        return "change \(token) is not the same in catalogue and journal, and which is right cannot be told: "
            + "…\(part(own))… and …\(part(journalText))…"
    }
}
