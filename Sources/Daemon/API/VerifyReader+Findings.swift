import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// What a verification looks at beside the originals, and the rows it is told in.
extension VerifyReader {
    static let diskFix = "look at dmesg and at the disk's health, then albumctl repair"

    func listOrphans() async throws -> [UInt8] {
        let orphans = try await service.orphans()
        service.knownOrphans.replace(with: orphans)
        let originals = service.library.directory.originals
        let unlisted = try await service.verification.pool.run { try originals.unlisted() }.map { path, error in
            var row = found(.unreadable, "the directory cannot be listed: \(error)", fix: Self.diskFix)
            row.path = Name(path).text
            return row
        }
        let rows =
            unlisted
            + orphans.map { orphan in
                var row = found(.orphan, "no asset has it; it is kept until a person says otherwise")
                (row.path, row.sha256, row.fix) =
                    (Name(orphan.path).text, orphan.hash, "albumctl repair --discard-orphans --dry-run")
                return row
            }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    func checkCatalogue() async throws -> [UInt8] {
        let findings = try await service.read { try $0.integrityFindings() }
        let rows = findings.prefix(20).map { finding in
            found(
                .catalogueDamaged, printable(finding),
                fix: "systemctl stop albumd, then albumctl library rebuild --help")
        }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    /// What the journal's writer has written by now must be there, and what it cannot write is said.
    func readJournal() async throws -> [UInt8] {
        let state = service.journal.state
        let (files, directory) = (service.machine.files, service.library.directory.journal)
        let audit = try await service.pool.run {
            try JournalAudit(JournalReader(files: files, directory: directory), upTo: state.token)
        }
        end.journalLines = audit.changeCount(upTo: state.token)
        var rows = audit.gaps.map { gap in
            found(
                .journalGap, "the journal lacks the changes \(gap.lowerBound) to \(gap.upperBound)",
                fix: "albumctl repair")
        }
        if let failure = state.failure, state.token < service.library.feed.newest {
            rows.append(found(.journalBehind, failure, fix: "free some space on the library's disk"))
        }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    func progress() -> VerifyRow { VerifyRow(checked: end.checked, total: total, byteCount: end.byteCount) }

    func found(_ finding: VerifyFinding, _ detail: String, fix: String? = nil) -> VerifyRow {
        end.findings[finding.rawValue, default: 0] += 1
        if finding != .orphan, finding != .soundAgain { end.isSound = false }
        var row = progress()
        (row.finding, row.detail, row.fix) = (finding, detail, fix)
        return row
    }
}
