import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite

/// One verification, as its asker pulls it: originals page by page, then orphans, catalogue and journal.
actor VerifyReader {
    private enum Phase {
        case begin
        case originals
        case orphans
        case catalogue
        case history
        case tables
        case journal
        case end
    }

    let service: LibraryService
    private let request: VerifyRequest
    private let turn: Verification.Turn
    let pace: Pace
    /// Which originals a sample takes: others at each run.
    private let seed: UInt16
    private var memory: AuditMemory
    private var phase: Phase? = .begin
    private var after: ContentHash?
    var total = 0
    var end = VerifyEnd()
    /// While journal and history are compared.
    var history: HistoryAudit?
    /// Changes that were found not to be the same on both sides.
    var told: Set<Int64> = []
    /// Whether one of them is damaged in the history, or may be.
    var isHistoryDoubtful = false
    /// While the tables are compared with what the history makes.
    var tables: TableAudit?
    /// While it is read, beside the tables.
    var journal: JournalReading?
    /// Rows of the catalogue that were found wrong otherwise.
    var wrongRows = 0
    /// What is wrong with the catalogue: albumd ends when the asker has been told (RULES R49).
    var damage: DatabaseError?

    init(service: LibraryService, _ request: VerifyRequest, turn: Verification.Turn) {
        (self.service, self.request, self.turn) = (service, request, turn)
        pace = service.verification.pace(request.bytesPerSecond)
        let uuid = service.machine.makeUUID().uuid
        seed = UInt16(uuid.14) << 8 | UInt16(uuid.15)
        memory = AuditMemory.read(from: service.library.directory, files: service.machine.files)
        if request.resume == true { after = memory.deep }
    }

    /// However the asking ended, told to the end or left before.
    deinit {
        if let damage { service.fatal.note(damage) }
    }

    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            do {
                guard let phase else { return nil }
                return try await advance(phase)
            } catch {
                self.phase = nil
                return JSON.line(["error": service.problem(error)])
            }
        } onCancel: {
            turn.cancel()
        }
    }

    private func advance(_ phase: Phase) async throws -> [UInt8] {
        switch phase {
        case .begin:
            self.phase = .originals
            total = try await service.read { catalogue in
                try catalogue.contentCounts().all - (catalogue.residencyCounts()[.inCloud]?.count ?? 0)
            }
            return JSON.line(progress())
        case .originals: return try await lookAtOriginals()
        case .orphans:
            self.phase = request.deep == true ? .catalogue : .journal
            return try await listOrphans()
        case .catalogue:
            self.phase = .history
            return try await checkCatalogue()
        case .history:
            let rows = try await compareHistory()
            guard history == nil else { return rows }
            self.phase = .tables
            // One thread compares the tables, and another reads the journal meanwhile.
            journal = beginJournal()
            return rows
        case .tables:
            let (rows, isMore) = try await compareTables()
            if !isMore { self.phase = .journal }
            return rows
        case .journal:
            self.phase = .end
            return try await readJournal()
        case .end:
            self.phase = nil
            return JSON.line(VerifyLine.end(end))
        }
    }

    private func lookAtOriginals() async throws -> [UInt8] {
        let limit = request.deep == true ? 16 : 500
        let page = portion(of: try await service.read { [after] in try $0.contents(after: after, limit: limit) })
        guard let last = page.last else {
            phase = .orphans
            remember(nil)
            return JSON.line(progress())
        }
        let contents = page.filter { $0.residency != .inCloud }.map {
            AuditedContent(version: $0, isRead: isRead($0))
        }
        let looks = try await service.look(at: contents, on: service.verification.pool, pace: pace)
        guard !looks.contains(where: { $0.finding == .stopped }) else {
            throw Problem.unavailable("the verification was ended", fix: "albumctl verify --deep --resume goes on")
        }
        let findings = try await service.record(zip(contents, looks).compactMap(doubtful))
        after = last.content.hash
        remember(after)
        count(zip(contents, looks).filter(isProven).map(\.0), of: contents.count, inCloud: page.count - contents.count)
        let rows = try await rows(of: findings) + lostRows(page.filter(\.isLost))
        return (rows + [progress()]).flatMap { JSON.line($0) }
    }

    /// What is read within about two seconds: so often it is seen whether anybody still listens.
    private func portion(of page: [Version]) -> [Version] {
        let most = min(64_000_000, (request.bytesPerSecond ?? .max / 2) * 2)
        var bytes: Int64 = 0
        return Array(
            page.prefix { version in
                defer { bytes += isRead(version) ? version.content.byteCount : 0 }
                return bytes < most
            })
    }

    private func doubtful(_ content: AuditedContent, _ look: StoredBytes) -> (content: Content, look: StoredBytes)? {
        let isAsExpected = look.finding == .sound && content.version.condition == .sound
        return isAsExpected ? nil : (content.version.content, look)
    }

    /// What is known to be unsound is always read: only its hash says whether it is mended.
    private func isRead(_ version: Version) -> Bool {
        guard version.condition == .sound else { return true }
        guard let percent = request.samplePercent else { return request.deep == true }
        let bytes = version.content.hash.bytes
        return Double((UInt16(bytes[30]) << 8 | UInt16(bytes[31])) &+ seed) < percent / 100 * 65_536
    }

    private func remember(_ hash: ContentHash?) {
        guard request.deep == true, memory.deep != hash else { return }
        memory = AuditMemory.read(from: service.library.directory, files: service.machine.files)
        memory.deep = hash
        // Without it the next one begins anew.
        try? memory.write(to: service.library.directory, files: service.machine.files)
    }

    /// Whether it was read to its end: what is missing, or has another size, was not.
    private func isProven(_ content: AuditedContent, _ look: StoredBytes) -> Bool {
        switch look.finding {
        case .misstated: true
        case .sound, .corrupt: content.isRead && look.status?.byteCount == content.version.content.byteCount
        case .missing, .unreadable, .stopped: false
        }
    }

    private func count(_ read: [AuditedContent], of looked: Int, inCloud: Int) {
        (end.checked, end.inCloudCount) = (end.checked + looked, end.inCloudCount + inCloud)
        end.hashed += read.count
        end.byteCount += read.reduce(0) { $0 + $1.version.content.byteCount }
    }

    private func rows(of findings: [AuditFinding]) async throws -> [VerifyRow] {
        guard !findings.isEmpty else { return [] }
        let assets = try await service.read { catalogue in
            try findings.map { finding in
                try catalogue.assetHaving(finding.version.content.hash).flatMap { try catalogue.asset($0) }
            }
        }
        return zip(findings, assets).compactMap { finding, asset in row(of: finding, asset) }
    }

    private func row(of finding: AuditFinding, _ asset: Asset?) -> VerifyRow? {
        var row: VerifyRow
        switch finding.finding {
        case .missing: row = found(.missing, "the file is not there", fix: "albumctl repair")
        case .corrupt: row = found(.corrupt, "the file has other bytes than its name says", fix: "albumctl repair")
        case .sound: row = found(.soundAgain, "it was \(finding.version.condition.rawValue), and is sound")
        case .misstated(let byteCount):
            wrongRows += 1
            let size = counted(Int(byteCount), "byte")
            let detail = "its \(size) are right, and the catalogue says \(finding.version.content.byteCount)"
            row = found(.catalogueDiffers, detail, fix: service.rebuildFix)
        case .unreadable(let error):
            row = found(.unreadable, error.description, fix: fixOfOriginal(error) ?? VerifyReader.diskFix)
        case .stopped: return nil
        }
        name(&row, finding.version.content, asset)
        return row
    }

    /// What the cloud was found not to have: nothing new, but no library that is as it should be.
    private func lostRows(_ lost: [Version]) async throws -> [VerifyRow] {
        guard !lost.isEmpty else { return [] }
        let assets = try await service.read { catalogue in
            try lost.map { try catalogue.assetHaving($0.content.hash).flatMap { try catalogue.asset($0) } }
        }
        return zip(lost, assets).map { version, asset in
            var row = found(.lost, "neither the disk nor the cloud has it", fix: lostOriginalFix)
            name(&row, version.content, asset)
            return row
        }
    }

    private func name(_ row: inout VerifyRow, _ content: Content, _ asset: Asset?) {
        (row.path, row.sha256) = (Name(content.path).text, content.hash)
        row.localIdentifier = asset?.localIdentifier
        row.originalFilename = asset.map { Name($0.filename(of: content.hash)).text }
    }
}
