import Control
import PhotoModel
import PhotoStore
import Platform

/// The catalogue's tables held against what its history makes of an empty catalogue.
extension VerifyReader {
    /// The next step of it, and whether more follow.
    func compareTables() async throws -> (rows: [UInt8], isMore: Bool) {
        // A catalogue that is damaged is made anew anyway, and a history that is damaged, as was told, is to be mended first.
        guard damage == nil else { return (JSON.line(progress()), false) }
        guard !isHistoryDoubtful else {
            return (
                notCompared("that is damaged itself: albumctl repair, then albumctl verify --deep once more"), false
            )
        }
        switch try await step() {
        case .going(let replayed, let changes, _):
            var row = progress()
            (row.replayed, row.changes) = (replayed, changes)
            return (JSON.line(row), true)
        case .compared(let differences):
            tables = nil
            let count = max(differences.count, wrongRows)
            service.knownFaults.note { $0.rows = count == 0 ? nil : count }
            return ((differences.map { row(of: $0) } + [progress()]).flatMap { JSON.line($0) }, false)
        case .notComparable(let why):
            tables = nil
            return (notCompared(why), false)
        }
    }

    private func step() async throws -> TableAudit.Step {
        let (library, machine, pace, known) = (service.library, service.machine, pace, tables)
        let (audit, step) = try await service.verification.pool.run {
            do {
                let audit = try known ?? TableAudit(of: library.directory, machine: machine)
                let step = try audit.advance()
                guard case .going(_, _, let byteCount) = step, !pace(byteCount) else {
                    return (audit as TableAudit?, step)
                }
                throw Problem.unavailable("the verification was ended", fix: "albumctl verify --deep")
            } catch let error as FileError where error.isNoSpace || error.isReadOnly {
                return (nil, .notComparable("\(error)"))
            }
        }
        tables = audit
        return step
    }

    private func notCompared(_ why: String) -> [UInt8] {
        var row = found(.catalogueNotCompared, "the catalogue was not compared with what its history makes: \(why)")
        if service.knownFaults.found.rows != nil { (row.fix, end.isSound) = (service.rebuildFix, false) }
        return [row, progress()].flatMap { JSON.line($0) }
    }

    private func row(of difference: TableDifference) -> VerifyRow {
        var row = found(.catalogueDiffers, difference.sentence, fix: service.rebuildFix)
        (row.localIdentifier, row.sha256) = (difference.localIdentifier, difference.hash)
        return row
    }
}
