import Control
import FoundationEssentials
import Importing
import PhotoModel
import PhotoStore
import Platform

/// `repair`: puts missing and corrupt originals back from what still has their bytes; or discards orphans.
extension LibraryService {
    func repair(_ request: RepairRequest, by peer: Peer) throws -> Response {
        guard request.discardOrphans != true || request.history == nil else {
            throw Problem.badRequest("discardOrphans repairs nothing, and history is for a repair")
        }
        let reader = RepairReader(service: self, request, turn: try verification.require())
        machine.log(
            .notice, "a repair was asked for",
            [
                "uid": String(peer.uid), "discardOrphans": String(request.discardOrphans == true),
                "history": request.history?.rawValue ?? "",
            ])
        let stream = AsyncStream<[UInt8]> { await reader.next() }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(stream))
    }
}

private actor RepairReader {
    private let service: LibraryService
    private let isDryRun: Bool
    private let discardsOrphans: Bool
    private let rightSide: HistorySide?
    private let turn: Verification.Turn
    private let repairer: Repairer
    private var after: ContentHash?
    private var orphans: [Orphan]?
    /// Hashes of orphans that the history names.
    private var named: Set<ContentHash> = []
    /// Changes that were found elsewhere; nil before they were looked for.
    private var brought: BroughtChanges?
    /// Those that are lost, so far as they are not told yet; then those that the cloud may have.
    private var lost: [Int64] = []
    private var leftLost = 0
    /// What purges could not remove before.
    private var leftovers: [RepairRow] = []
    private var wereRowsTold = false
    private var wasLookedAt = false
    private var wasJournalRead = false
    /// Changes that journal and history do not have alike; nil before they were compared.
    private var faults: [HistoryFault]?
    /// Those that stay.
    private var leftFaults: [HistoryFault] = []
    private var counts: [String: Int] = [:]
    /// Originals whose bytes were found nowhere; nil where there is none.
    private var unmendable: Int?
    private var isAtEnd = false
    /// Imports waited for somebody to say that the originals are lost.
    private let goesOnWithEmptied: Bool

    init(service: LibraryService, _ request: RepairRequest, turn: Verification.Turn) {
        (self.service, self.turn) = (service, turn)
        (isDryRun, discardsOrphans) = (request.dryRun == true, request.discardOrphans == true)
        rightSide = request.history
        repairer = Repairer(service.library, pace: service.verification.pace(nil))
        goesOnWithEmptied = service.library.isEmptied && !isDryRun && !discardsOrphans
    }

    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            guard !isAtEnd else { return nil }
            do {
                if let row = try await discardsOrphans ? nextOrphan() : nextOriginal() {
                    counts[row.outcome.rawValue, default: 0] += 1
                    if row.outcome == .lost, row.sha256 != nil { unmendable = (unmendable ?? 0) + 1 }
                    return JSON.line(RepairLine.row(row))
                }
                isAtEnd = true
                if !isDryRun, !discardsOrphans { service.knownFaults.note { $0.unmendable = unmendable } }
                if goesOnWithEmptied { service.importing.post(.retry(nil) { _ in }) }
                return JSON.line(RepairLine.end(counts))
            } catch {
                isAtEnd = true
                return JSON.line(["error": service.problem(error)])
            }
        } onCancel: {
            turn.cancel()
        }
    }

    private func nextOriginal() async throws -> RepairRow? {
        if !wasLookedAt { try await lookForMissing() }
        if let row = leftovers.popLast() { return row }
        let version = try await service.read { [after] in try $0.unsoundContents(after: after, limit: 1).first }
        guard let content = version?.content else {
            if let row = try await nextBrought() { return row }
            if let row = try await nextFault() { return row }
            if let row = try await nextLost() { return row }
            if let row = try await nextGap() { return row }
            return wrongRows()
        }
        after = content.hash
        let (repairer, isDryRun) = (repairer, isDryRun)
        let mending = try await service.verification.pool.run { try repairer.mend(content, isDryRun: isDryRun) }
        var row = try self.row(of: mending, content)
        if row.outcome == .lost {
            row = try await service.verification.pool.run { [service, row] in
                try service.mendFromCloud(row, content, isDryRun: isDryRun)
            }
        }
        let asset = try await service.read { catalogue in
            try catalogue.assetHaving(content.hash).flatMap { try catalogue.asset($0) }
        }
        row.localIdentifier = asset?.localIdentifier
        row.originalFilename = asset.map { Name($0.filename(of: content.hash)).text }
        return row
    }

    private func row(_ outcome: RepairRow.Outcome, _ content: Content) -> RepairRow {
        RepairRow(outcome, path: content.path, sha256: content.hash)
    }

    /// A repair straight after an accident knows of it.
    private func lookForMissing() async throws {
        wasLookedAt = true
        leftovers = try await service.removeLeftovers(isDryRun: isDryRun).reversed()
        if goesOnWithEmptied {
            try await service.verification.pool.run { [library = service.library] in try library.acceptEmptied() }
        }
        var last: ContentHash?
        while true {
            let page = try await service.read { [last] in try $0.contents(after: last, limit: 500) }
            let contents = page.filter { $0.condition == .sound && $0.residency != .inCloud }
                .map { AuditedContent(version: $0, isRead: false) }
            let looks = try await service.look(
                at: contents, on: service.verification.pool, pace: service.verification.unpaced)
            let doubtful = zip(contents, looks).filter { $0.1.finding != .sound }
            let findings = try await service.library.record(doubtful.map { ($0.0.version.content, $0.1) })
            findings.forEach(service.knownFaults.note)
            guard let hash = page.last?.content.hash else { return }
            last = hash
        }
    }

    private func row(of mending: Mending, _ content: Content) throws(Problem) -> RepairRow {
        func row(_ outcome: RepairRow.Outcome, from source: PathBytes? = nil) -> RepairRow {
            var row = self.row(outcome, content)
            if let name = source.map({ Name($0) }) { (row.source, row.sourceBase64) = (name.text, name.base64) }
            return row
        }
        switch mending {
        case .sound: return row(.sound)
        case .mended(let source): return row(.repaired, from: source)
        case .mendable(let source): return row(.wouldRepair, from: source)
        case .failed(let source, let why):
            var row = row(.failed, from: source)
            row.detail = why
            row.fix = VerifyReader.diskFix
            return row
        case .lost(let places):
            var row = row(.lost)
            let seen = places.prefix(3).map { "'\(printable($0.bytes))'" }.joined(separator: ", ")
            row.detail =
                places.isEmpty ? "no file is known that had its bytes" : "its bytes were last seen in \(seen)"
            row.fix =
                "if a backup or a card still has the file: albumctl save FILE, which stores the same bytes again"
            return row
        case .stopped: throw .unavailable("the repair was ended", fix: "albumctl repair")
        }
    }

    private func nextBrought() async throws -> RepairRow? {
        if brought == nil {
            let found = try await service.bringChanges(isDryRun: isDryRun)
            if !isDryRun, !found.unmade.isEmpty { service.knownFaults.note { $0.atLeast(rows: 1) } }
            (brought, lost) = (found, found.lost.reversed())
            brought?.rows.reverse()
        }
        return brought?.rows.popLast()
    }

    private func nextLost() async throws -> RepairRow? {
        guard let token = lost.popLast(), let isAsked = brought?.wasAskedEverywhere else { return nil }
        let (service, isDryRun) = (service, isDryRun)
        if !isAsked || isDryRun { leftLost += 1 }
        return try await service.verification.pool.run {
            try service.giveUp(token, wasAskedEverywhere: isAsked, isDryRun: isDryRun)
        }
    }

    /// No bytes and no journal mend a row: said, that nobody takes the library for mended.
    private func wrongRows() -> RepairRow? {
        guard !wereRowsTold, let count = service.knownFaults.found.rows else { return nil }
        wereRowsTold = true
        var row = RepairRow(.failed, path: PathBytes("catalogue.sqlite"), sha256: nil)
        let unmade = brought?.unmade.sorted().map(String.init).joined(separator: ", ") ?? ""
        row.detail =
            unmade.isEmpty
            ? "\(counted(count, "row", one: "is", many: "are")) not as the history makes it"
            : "it was made without what came back: change \(unmade)"
        row.fix = service.rebuildFix
        return row
    }

    private func nextFault() async throws -> RepairRow? {
        if faults == nil { faults = try await service.historyFaults().settled(by: rightSide).reversed() }
        guard let fault = faults?.popLast() else { return nil }
        let (service, isDryRun) = (service, isDryRun)
        let row = try await service.verification.pool.run { try service.mend(fault, isDryRun: isDryRun) }
        if row.outcome == .failed || isDryRun { leftFaults.append(fault) }
        return row
    }

    /// The journal, once, where it has lost changes.
    private func nextGap() async throws -> RepairRow? {
        guard !wasJournalRead else { return nil }
        wasJournalRead = true
        let (service, isDryRun, leftFaults) = (service, isDryRun, leftFaults)
        let token = service.journal.state.token
        let reader = service.journalReader
        let told = Set(leftFaults.map(\.token)).union(brought?.lost ?? [])
        let leftLost = leftLost
        return try await service.verification.pool.run {
            let before = try JournalAudit(reader, upTo: token).passingOver(told)
            if !isDryRun, !before.gaps.isEmpty { _ = try service.journal.restore(before.gaps) }
            let after =
                try isDryRun || before.gaps.isEmpty
                ? before : JournalAudit(reader, upTo: token).passingOver(told)
            if !isDryRun {
                service.knownFaults.note { found in
                    found.lacking = after.lackingCount
                    found.unwritable = after.gaps.isEmpty ? nil : after.lackingCount
                    found.lost = leftLost == 0 ? nil : leftLost
                    found.take(leftFaults)
                }
            }
            guard !before.gaps.isEmpty else { return nil }
            var row = RepairRow(
                isDryRun ? .wouldRepair : after.gaps.isEmpty ? .repaired : .lost, path: PathBytes("journal"),
                sha256: nil)
            row.detail = "\(counted(before.lackingCount, "change", one: "was", many: "were")) missing"
            if row.outcome == .lost {
                row.detail = "\(counted(after.lackingCount, "change", one: "is", many: "are")) whole nowhere"
                row.fix = LibraryProblems.fixOfUnwritable
            }
            return row
        }
    }

    private func nextOrphan() async throws -> RepairRow? {
        if orphans == nil {
            let found = try await service.orphans()
            (orphans, named) = (found.reversed(), try await service.named(among: found))
        }
        guard let orphan = orphans?.popLast() else {
            try await service.note(try await service.orphans())
            return nil
        }
        guard !named.contains(orphan.hash) else {
            var row = RepairRow(.kept, path: orphan.path, sha256: orphan.hash)
            (row.detail, row.fix) = (Orphans.namedDetail, service.rebuildFix)
            return row
        }
        guard !isDryRun else { return RepairRow(.wouldDiscard, path: orphan.path, sha256: orphan.hash) }
        do {
            let isGone = try await service.library.discard(orphan)
            var row = RepairRow(isGone ? .discarded : .kept, path: orphan.path, sha256: orphan.hash)
            if !isGone { (row.detail, row.fix) = ("an original of the same bytes may need it", "albumctl repair") }
            return row
        } catch let error as FileError where error.isOfOneFile {
            var row = RepairRow(.failed, path: orphan.path, sha256: orphan.hash)
            row.detail = error.description
            return row
        }
    }
}
