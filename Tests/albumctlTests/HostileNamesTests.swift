import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

/// Names that hold what a terminal obeys, through every command (CASES X01, X11).
@Suite struct HostileNamesTests {
    private static let name = "e\u{1B}]0;t\u{7}\r\n[INFO] c\u{9B}31m\u{202E}\u{200B}\u{7F}.jpg"

    private static let commands = HostileCloud.commands(name) + plainCommands
    private static let plainCommands: [[String]] = [
        ["status"], ["flush"], ["reconcile"], ["reconcile", "--dry-run"], ["pending"], ["retry", name], ["why", name],
        ["plan"], ["folder", "list"], ["folder", "add", name], ["folder", "remove", name], ["folder", "check"],
        ["folder", "confirm", name], ["album", "list"], ["album", "ensure", name], ["album", "exists", name],
        ["album", "rename", "\(Sample.identifier)", name], ["album", "get", name],
        ["album", "add", name, "\(Sample.identifier)"], ["album", "remove", name, "\(Sample.identifier)"],
        ["asset", "list", "--album", name], ["asset", "get", "\(Sample.identifier)"],
        ["map", "get", "--external", name], ["undo", "1"], ["undo", name], ["history"],
        ["map", "check", "--path", name], ["original", "\(Sample.identifier)", "-o", "/nonexistent/\(name)"],
        ["delete", "--path", name], ["trash", "list"], ["trash", "restore", "--all"],
        ["trash", "purge", "--all", "--yes"], ["confirm", name, "--dry-run"],
        ["save", name], ["watch", "--after", "0"], ["metrics"], ["reload"], ["version"], [name], ["--\(name)"],
        ["safe", name], ["verify"], ["repair"], ["date", "repair", name],
        ["folder", name], ["status", name], ["flush", "--timeout", name], ["asset", "get", name],
    ]

    @Test(arguments: commands, [false, true])
    func nothingThatATerminalObeysComesThrough(command: [String], isJSON: Bool) async throws {
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { Self.answer(to: $0.operation) }) { daemon in
                let arguments = (command + (isJSON ? ["--json"] : [])).map { Array($0.utf8) }
                let ran = try await albumctl(arguments, socket: daemon.socketPath, variables: [:], isTerminal: true)
                #expect(
                    ran.error.replacing("\r", with: "").replacing("\u{1B}[K", with: "").unicodeScalars.allSatisfy(
                        isHarmless))
                #expect(ran.out.unicodeScalars.allSatisfy(isHarmless), "\(ran.out.debugDescription)")
                #expect(!(ran.out + ran.error).contains("\n[INFO]"))
            }
        }
    }

    /// The same where the daemon refuses with such a name in its words.
    @Test(arguments: HostileCloud.commands(name) + plainCommands.prefix(35))
    func aRefusalIsHarmlessToo(command: [String]) async throws {
        try await withScratchFolder { folder in
            let problem = Problem.conflict("t", "no \(Self.name)", fix: "mend \(Self.name)")
            try await FakeDaemon.with(in: folder, answer: { _ in problem.response }) { daemon in
                let arguments = command.map { Array($0.utf8) }
                let ran = try await albumctl(arguments, socket: daemon.socketPath, variables: [:], isTerminal: false)
                #expect(ran.code != 0)
                #expect((ran.out + ran.error).unicodeScalars.allSatisfy(isHarmless))
                #expect(!(ran.out + ran.error).contains("\n[INFO]"))
            }
        }
    }

    private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n"
        case .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private static func answer(to operation: Operation) -> Response {
        let path = PathBytes(name)
        if let answer = HostileCloud(name: name).answer(to: operation) { return answer }
        switch operation {
        case .status: return .json(status)
        case .flush: return .json(FlushResult(waiting: [name: 1], offline: [name], token: 1))
        case .reconcile, .listFolders: return .json(PageOf(rows: [folder], next: nil))
        case .addFolder, .confirmFolder: return .json(folder)
        case .checkFolder: return .json(PageOf(rows: [check], next: nil))
        case .pending: return .json(PageOf(rows: [pending], next: nil))
        case .why: return .json(why)
        case .plan: return .lines([JSON.line(["row": plan]), JSON.line(["end": [name: 1]])])
        case .listAlbums, .albumsTitled: return .json(PageOf(rows: [Sample.album(name)], next: nil))
        case .ensureAlbum, .getAlbum, .renameAlbum: return .json(Sample.album(name))
        case .undo:
            return .json(
                UndoResult(
                    token: 1, changes: change.changes, remarks: [name],
                    putBack: [PutBackRow(path, problem: name), PutBackRow(path, problem: nil)]))
        case .repairDates:
            let proof = ZoneProof(offset: 3600, kind: .gps, localTime: CivilTime(microseconds: 0))
            let row = DateRepairRow(Sample.identifier, name: path, proof: proof)
            return .json(DateRepairResult(rows: [row], unprovenCount: 1, isMore: true, token: 1))
        case .performChanges: return .json(ChangesResult(token: 1, created: []))
        case .listAssets: return .json(PageOf(rows: [Sample.asset(path)], next: nil))
        case .getAsset: return .json(known(Sample.asset(path)))
        case .getMapping, .checkMapping: return .json(MappingResult(state: .live, rows: [mapping]))
        case .listTrash: return .json(PageOf(rows: [trashed], next: nil))
        case .deleteAssets, .restoreAssets, .purgeAssets: return .json(TrashResult(token: 1, rows: [trashed]))
        case .confirmDeletion: return .json(ConfirmResult(trashedCount: 1, held: held))
        case .listChanges: return .lines([JSON.line(change), JSON.line(["end": ["token": 1]])])
        case .metrics, .getOriginal:
            return Response(status: 200, contentType: "text/plain", body: .bytes(Array("a{x=\"\(name)\"} 1\n".utf8)))
        case .retry, .removeFolder, .reload: return .json(CountResult(count: 1))
        case .version: return .json(VersionResult(version: name, libraryFormat: 1))
        case .checkSafety, .releaseSources: return .json(PageOf<SafetyRow>(rows: [], next: nil))
        case .verify: return .lines([JSON.line(found), JSON.line(["end": VerifyEnd()])])
        case .repair: return .lines([JSON.line(repaired), JSON.line(["end": [name: 1]])])
        default: return Problem.notFound(name, fix: "f").response
        }
    }

    /// With facts whose every text is the name.
    private static func known(_ row: AssetRow) -> AssetRow {
        var (row, facts) = (row, AssetFacts())
        (facts.title, facts.caption, facts.codec, facts.keywords) = (name, name, name, [name])
        (facts.burstIdentifier, facts.contentIdentifier) = (name, name)
        facts.passedOverDates = [PassedOverDate(source: .dateTime, text: name, doubt: .zero)]
        (facts.camera, facts.faults) = (Camera(make: name, model: name, lens: name), [name])
        row.show(FactsRow(facts: facts))
        return row
    }

    private static var status: StatusReport {
        var report = Sample.status(isDegraded: true, library: name)
        (report.summary, report.folders, report.version) = (name, [folder], name)
        report.problems = [StatusProblem(what: name, fix: name)]
        (report.waiting, report.sources) = ([name: 1], [name: 2])
        report.cloud = CloudStatus(HostileCloud(name: name).report)
        report.facts.unavailable = StatusProblem(what: name, fix: name)
        return report
    }

    private static var folder: FolderRow {
        var row = Sample.folder(name)
        (row.album, row.mode, row.standing, row.watching) = (name, name, name, name)
        (row.detail, row.watchingDetail, row.unreadable) = (name, name, [name])
        return row
    }

    private static var trashed: TrashRow {
        var row = Sample.trashed(PathBytes(name))
        row.folder = name
        return row
    }

    private static var held: HeldRow {
        HeldRow(token: name, folder: name, since: Sample.date, count: 1, paths: [name])
    }

    private static var check: FolderCheck {
        FolderCheck(path: name, check: name, isGood: false, detail: name, fix: name)
    }

    private static var pending: PendingRow {
        PendingRow(
            path: PathBytes(name), outcome: .blocked, reason: .permission, detail: name, since: Sample.date,
            retryDate: nil)
    }

    private static var plan: PlanRow {
        var row = PlanRow(path: PathBytes(name), mode: name)
        (row.album, row.detail, row.outcome, row.reason) = (name, name, .imported, .newContent)
        return row
    }

    private static var found: VerifyRow {
        var row = VerifyRow(.corrupt, checked: 1, total: 1, byteCount: 1)
        (row.path, row.originalFilename, row.detail, row.fix) = (name, name, name, name)
        return row
    }

    private static var repaired: RepairRow? {
        guard let hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32)) else { return nil }
        var row = RepairRow(.repaired, path: PathBytes(name), sha256: hash)
        (row.originalFilename, row.source, row.detail, row.fix) = (name, name, name, name)
        return row
    }

    private static var mapping: MappingRow {
        var row = MappingRow(localIdentifier: Sample.identifier, state: .live)
        (row.path, row.externalIdentifier) = (name, name)
        return row
    }

    private static var why: WhyReport {
        var report = WhyReport(summary: name)
        (report.path, report.waiting, report.mappings) = (name, pending, [mapping])
        (report.asset, report.albums) = (Sample.asset(PathBytes(name)), [Sample.album(name)])
        report.events = [StoryLine(date: Sample.date, text: name)]
        return report
    }

    private static var change: ChangeRow {
        let creation = AlbumCreation(localIdentifier: Sample.identifier, title: PathBytes(name))
        let binding = ExternalBinding(externalIdentifier: name, localIdentifier: Sample.identifier)
        return ChangeRow(
            token: 1, date: Sample.date, origin: name, changes: [.createAlbum(creation), .bindExternal(binding)])
    }
}
