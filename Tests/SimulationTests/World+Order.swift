import EngineSupport
import Importing
import PhotoModel
import PhotoStore
import TestSupport

/// Stops in order, after which a start begins its work before it has checked anything (RULES R8).
extension World {
    var owesInspection: Bool { bench.library?.inspection.hasPassed == false }

    /// What is damaged while nothing runs is met by the next start.
    func stopInOrder(damaging number: Int?, _ damage: Damage) throws {
        guard !isDown else { return }
        let content = try number.flatMap { try localContent($0) }
        // As the daemon does: what was told is journaled before it ends.
        guard try engineRuns({}) else { return }
        end(inOrder: true)
        if let number, let content { try self.damage(content, damage, number) }
    }

    /// As the daemon does, behind the first scans, or where somebody waits for it: what was cut or is gone is said then.
    func inspect() throws {
        guard !isDown, owesInspection else { return }
        bench.simulation.files.forgetFaults()
        let isDone = try engineRuns {
            try library().inspect(vfs: bench.vfsName)
            let catalogue = try bench.catalogue()
            let check = try SizeCheck(library()) { try catalogue.contents(after: $0, limit: 500) }
            try check.run(isEnding: { false }) { finding in
                trace.note("  \(finding.version.content.hash.hexadecimal) is \(finding.finding)")
            }
            bench.post(.catalogueChecked)
        }
        guard isDone else { return }
        for version in try bench.catalogue().contents(after: nil, limit: .max) where version.residency != .inCloud {
            guard version.condition == .sound, !hasSize(of: version.content) else { continue }
            throw Violation(rule: "R8", "\(version.content.hash.hexadecimal) is called sound, and has not its size")
        }
    }
}
