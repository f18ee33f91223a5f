import PhotoStore
import Platform
import Synchronization

/// What audits found of journal and history, less what a repair has mended since: status says it, after a restart too.
final class KnownFaults: Sendable {
    private let state: Mutex<HistoryFindings>
    private let directory: LibraryDirectory
    private let machine: Machine

    init(of directory: LibraryDirectory, machine: Machine) {
        (self.directory, self.machine) = (directory, machine)
        state = Mutex(AuditMemory.read(from: directory, files: machine.files).history ?? HistoryFindings())
    }

    var found: HistoryFindings { state.withLock { $0 } }

    /// Takes over what was found just now, and keeps it; called by who has the turn to audit.
    func note(_ change: (inout HistoryFindings) -> Void) {
        let (before, after) = state.withLock { findings in
            let before = findings
            change(&findings)
            return (before, findings)
        }
        guard before != after else { return }
        var memory = AuditMemory.read(from: directory, files: machine.files)
        memory.history = after == HistoryFindings() ? nil : after
        do {
            try memory.write(to: directory, isDurable: true, files: machine.files)
        } catch {
            machine.log(.error, "what was found of the journal is forgotten at the next start: \(error)")
        }
    }

    /// The same of an original whose row alone is wrong.
    func note(_ finding: AuditFinding) {
        if case .misstated = finding.finding { note { $0.atLeast(rows: 1) } }
    }
}

extension HistoryFindings {
    /// So many rows are wrong, whatever was found before.
    mutating func atLeast(rows count: Int) {
        guard count > 0 else { return }
        rows = max(rows ?? 0, count)
    }
}
