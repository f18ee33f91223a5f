import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite

/// What a verification looks at beside the originals, and the rows it is told in.
extension VerifyReader {
    static let diskFix = "look at dmesg and at the disk's health, then albumctl repair"

    func listOrphans() async throws -> [UInt8] {
        let orphans = try await service.orphans()
        try await service.note(orphans)
        let named = try await service.named(among: orphans)
        // After a rebuild that lost what named them they are no mere leftovers.
        if try service.libraryProblems(orphans: orphans.count).tear == .originals { end.isSound = false }
        wrongRows += named.count
        service.knownFaults.note { [wrongRows] in $0.atLeast(rows: wrongRows) }
        let originals = service.library.directory.originals
        let unlisted = try await service.verification.pool.run { try originals.unlisted() }.map { path, error in
            var row = found(.unreadable, "the directory cannot be listed: \(error)", fix: Self.diskFix)
            row.path = Name(path).text
            return row
        }
        let rows =
            unlisted + unremoved(try await service.read(service.library.unremoved))
            + orphans.map { orphan in
                let isNamed = named.contains(orphan.hash)
                var row = found(
                    .orphan,
                    isNamed ? Orphans.namedDetail : "no asset has it; it is kept until a person says otherwise",
                    fix: isNamed ? service.rebuildFix : Orphans.fix)
                if isNamed { end.isSound = false }
                (row.path, row.sha256) = (Name(orphan.path).text, orphan.hash)
                return row
            }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    private func unremoved(_ originals: [UnremovedOriginal]) -> [VerifyRow] {
        originals.map { original in
            let advice = removalAdvice(original, in: service.library.directory.path)
            var row = found(
                .unremoved, "it was deleted for good, and cannot be removed: \(original.error)",
                fix: "\(advice), then albumctl repair")
            (row.path, row.sha256) = (Name(original.path).text, original.hash)
            return row
        }
    }

    func checkCatalogue() async throws -> [UInt8] {
        let findings = try await service.read { try $0.integrityFindings() }
        damage = findings.first.map { .corrupt(printable($0)) }
        if let damage { service.library.doubtCatalogue(because: damage) }
        let rows = findings.prefix(20).map { finding in
            found(
                .catalogueDamaged, printable(finding),
                fix: "albumd ends now; its next start rebuilds the catalogue by itself: systemctl start albumd")
        }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    /// A page of the journal against the history; afterwards `history` is nil where it was the last.
    func compareHistory() async throws -> [UInt8] {
        let audit = try history ?? HistoryAudit(service.journalReader, upTo: service.journal.state.token)
        let readers = service.readers
        let page = try await service.verification.pool.run { try readers.readNow { try audit.advanced(in: $0) } }
        history = page.isMore ? page.audit : nil
        if !page.isMore {
            told = Set(page.audit.faults.map(\.token))
            isHistoryDoubtful = page.audit.faults.contains { $0.side != .journal }
            service.knownFaults.note { $0.take(page.audit.faults) }
        }
        let rows = page.isMore ? [] : page.audit.faults.prefix(100).map { row(of: $0) }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    private func row(of fault: HistoryFault) -> VerifyRow {
        let change = "change \(fault.token)"
        return switch fault.side {
        case .journal:
            found(
                .journalDamaged, "\(change) is damaged in the journal, and whole in the catalogue",
                fix: "albumctl repair")
        case .history where fault.historyText == nil:
            found(
                .historyDamaged, "\(change) is lost in the catalogue, and whole in the journal",
                fix: "albumctl repair")
        case .history:
            found(
                .historyDamaged, "\(change) is damaged in the catalogue, and whole in the journal",
                fix: "albumctl repair")
        case .unknown where fault.historyLine == nil:
            found(
                .historyDiffers, fault.difference,
                fix: "albumctl repair, which takes it from a snapshot or the cloud where these have it; else "
                    + fault.advice)
        case .unknown: found(.historyDiffers, fault.difference, fix: fault.advice)
        }
    }

    /// What the journal's writer has written by now must be there, and what it cannot write is said.
    typealias JournalReading = (token: Int64, audit: Task<JournalAudit, any Error>)

    func beginJournal() -> JournalReading {
        let (pool, token, reader) = (service.pool, service.journal.state.token, service.journalReader)
        return (token, Task { try await pool.run { try JournalAudit(reader, upTo: token) } })
    }

    func readJournal() async throws -> [UInt8] {
        let (token, reading) = journal ?? beginJournal()
        let whole = try await reading.value
        end.journalLines = whole.changeCount(upTo: token)
        let lost = try await service.read { try $0.lostTokens() }.subtracting(told)
            .filter { !whole.isGivenUp($0) }.sorted()
        let audit = whole.passingOver(told.union(lost))
        service.knownFaults.note { found in
            (found.lacking, found.lost) = (audit.lackingCount, lost.isEmpty ? nil : lost.count)
        }
        var rows = lost.prefix(100).map { row(ofLost: $0, in: whole) }
        let isUnwritable = service.knownFaults.found.unwritable == audit.lackingCount
        rows += audit.gaps.map { gap in
            found(
                .journalGap, "the journal has no whole line of the changes \(gap.lowerBound) to \(gap.upperBound)",
                fix: isUnwritable ? LibraryProblems.fixOfUnwritable : "albumctl repair")
        }
        if let failure = service.journal.state.failure, token < service.library.feed.newest {
            rows.append(found(.journalBehind, failure.what, fix: failure.fix))
        }
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    /// The catalogue was made without it.
    private func row(ofLost token: Int64, in journal: JournalAudit) -> VerifyRow {
        let place = journal.damaged[token].map { "damaged in journal/\(printable($0))" } ?? "not in the journal"
        let isThere = !journal.gaps.contains { $0.contains(token) }
        return found(
            .changeLost,
            "change \(token) is lost in the catalogue, and \(isThere ? "whole in the journal" : place)",
            fix: LibraryProblems.fixOfLost)
    }

    func progress() -> VerifyRow { VerifyRow(checked: end.checked, total: total, byteCount: end.byteCount) }

    func found(_ finding: VerifyFinding, _ detail: String, fix: String? = nil) -> VerifyRow {
        end.findings[finding.rawValue, default: 0] += 1
        if ![.orphan, .unremoved, .soundAgain, .catalogueNotCompared].contains(finding) { end.isSound = false }
        var row = progress()
        (row.finding, row.detail, row.fix) = (finding, detail, fix)
        return row
    }
}
