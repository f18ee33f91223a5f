import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

@Suite struct DeletionCommandTests {
    private static let identifier = "\(Sample.identifier)"

    /// Answers each request about deletion with one asset, and keeps what was asked.
    private func withDaemon(
        _ row: TrashRow = Sample.trashed(), token: Int64? = 9, _ body: (FakeDaemon) async throws -> Void
    ) async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { asked in
                switch asked.operation {
                case .listTrash: .json(PageOf(rows: [row], next: nil))
                case .confirmDeletion: .json(ConfirmResult(trashedCount: 25, held: Sample.held))
                case .purgeAssets: .json(TrashResult(token: token, rows: [row], freedByteCount: 2_500_000))
                default: .json(TrashResult(token: token, rows: [row]))
                }
            }
            try await FakeDaemon.with(in: folder, answer: answer, body)
        }
    }

    private func requests(_ daemon: FakeDaemon) throws -> [AssetsRequest] {
        try daemon.asked.map { try JSON.decode(AssetsRequest.self, from: $0.request.body) }
    }

    @Test func assetsAreDeletedByIdentifier() async throws {
        try await withDaemon { daemon in
            let ran = try await albumctl("delete", Self.identifier, socket: daemon.socketPath)
            #expect(ran.code == 0)
            #expect(ran.out.contains("a.jpg") && ran.out.hasSuffix("1 asset is in Recently Deleted.\n"))
            let subject = try requests(daemon).first?.subjects?.first
            #expect(subject == SubjectRequest(localIdentifier: Sample.identifier))
        }
    }

    @Test func withAPathTheOperandsMayBeFilesToo() async throws {
        try await withDaemon { daemon in
            let ran = try await albumctl(
                "delete", "--path", "/in/a.jpg", "/in/b.jpg", Self.identifier, socket: daemon.socketPath)
            #expect(ran.code == 0)
            let subjects = try #require(try requests(daemon).first?.subjects)
            #expect(subjects.map(\.path) == ["/in/a.jpg", "/in/b.jpg", nil])
            #expect(subjects.last?.localIdentifier == Sample.identifier)
        }
    }

    @Test func aPathThatIsNoTextKeepsItsBytes() async throws {
        try await withDaemon { daemon in
            let path = Array("/in/J".utf8) + [0xF1]
            let ran = try await albumctl(Array("delete".utf8), Array("--path".utf8), path, socket: daemon.socketPath)
            #expect(ran.code == 0)
            #expect(try requests(daemon).first?.subjects?.first == SubjectRequest(path: PathBytes(path)))
        }
    }

    @Test(arguments: [["delete"], ["delete", "a.jpg"], ["trash", "restore"], ["trash", "purge"]])
    func withoutAnythingToDeleteNothingIsAsked(words: [String]) async throws {
        let ran = try await albumctl(words.map { Array($0.utf8) })
        #expect(ran.code == 2)
    }

    @Test(arguments: [["delete"], ["trash", "restore"]])
    func aDryRunIsSaidToTheDaemonAndInTheAnswer(words: [String]) async throws {
        try await withDaemon(token: nil) { daemon in
            let tokens = (words + ["--dry-run", Self.identifier]).map { Array($0.utf8) }
            let ran = try await albumctl(tokens, socket: daemon.socketPath, variables: [:], isTerminal: false)
            #expect(ran.out.contains("1 asset would be"))
            #expect(try requests(daemon).map(\.isDryRun) == [true])
        }
    }

    @Test func whatIsNotMappedIsNotFound() async throws {
        try await withScratchFolder { folder in
            let problem = Problem(
                "notMapped", title: "t", status: 404, detail: "it is mapped to nothing", fix: "f", exitCode: 4)
            try await FakeDaemon.with(in: folder, answer: { _ in problem.response }) { daemon in
                let ran = try await albumctl("delete", "--path", "/in/a", "--json", socket: daemon.socketPath)
                #expect(ran.code == 4)
                #expect(try ran.json([String: Problem].self)["error"]?.type == "albumd:notMapped")
            }
        }
    }

    @Test func recentlyDeletedIsListedWithTheDaysThatAreLeft() async throws {
        try await withDaemon { daemon in
            let ran = try await albumctl("trash", "list", socket: daemon.socketPath)
            #expect(ran.lines.count == 2)
            for word in [Self.identifier, " 30 ", "person", "/in", "a.jpg"] { #expect(ran.out.contains(word)) }
            let json = try await albumctl("trash", "list", "--json", socket: daemon.socketPath)
            #expect(try json.json([TrashRow].self) == [Sample.trashed()])
        }
    }

    @Test func everythingIsRestored() async throws {
        try await withDaemon(Sample.trashed(state: .live)) { daemon in
            let ran = try await albumctl("trash", "restore", "--all", socket: daemon.socketPath)
            #expect(ran.out.hasSuffix("1 asset is in the library.\n"))
            #expect(try requests(daemon) == [AssetsRequest(subjects: nil, all: true, isDryRun: false)])
        }
    }
}

/// What removes for good asks first, and what waits for a person is confirmed by its token.
@Suite struct PurgeCommandTests {
    private let arguments = ["trash", "purge", "--all"]

    private func run(
        _ more: [String], isTerminal: Bool = false, answer: String? = nil
    ) async throws -> (ran: Ran, asked: [Bool?]) {
        var result: (Ran, [Bool?])?
        try await withScratchFolder { folder in
            let answers: FakeDaemon.Answer = { _ in
                .json(TrashResult(token: 9, rows: [Sample.trashed()], freedByteCount: 2_500_000))
            }
            try await FakeDaemon.with(in: folder, answer: answers) { daemon in
                let ran = try await albumctl(
                    (arguments + more).map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:],
                    isTerminal: isTerminal, answer: answer)
                let asked = try daemon.asked.map { try JSON.decode(AssetsRequest.self, from: $0.request.body).isDryRun }
                result = (ran, asked)
            }
        }
        return try #require(result)
    }

    @Test func theDiskAndTheCloudAreToldApart() async throws {
        let (ran, _) = try await ranAndAsked(arguments + ["--dry-run"]) { _ in
            .json(
                TrashResult(token: nil, rows: [Sample.trashed()], freedByteCount: 0, cloudByteCount: 2_500_000))
        }
        #expect(
            ran.lines.suffix(2) == [
                "1 asset would be deleted for good; that would free 0 bytes on this disk.",
                "2.5 MB of copies in the cloud stay there for as long as [cloud] delete_purged says.",
            ])
    }

    @Test func withoutATerminalItMustBeToldYes() async throws {
        let (ran, asked) = try await run([])
        #expect(ran.code == 2 && asked == [true])
        #expect(ran.error.contains("1 asset of 2.5 MB would vanish for ever") && ran.error.contains("--yes"))
    }

    @Test func aToldYesAsksNobody() async throws {
        let (ran, asked) = try await run(["--yes"])
        #expect(ran.code == 0 && asked == [true, false])
        #expect(ran.out.hasSuffix("1 asset is deleted for good; that freed 2.5 MB.\n"))
    }

    @Test(arguments: [("yes", 0, [true, false]), ("y", 1, [true]), ("", 1, [true]), (nil, 1, [true])])
    func aPersonAtATerminalIsAsked(answer: String?, code: Int32, requests: [Bool?]) async throws {
        let (ran, asked) = try await run([], isTerminal: true, answer: answer)
        #expect(ran.code == code && asked == requests)
        #expect(ran.error.contains("1 asset of 2.5 MB vanish for ever"))
    }

    @Test func aDryRunTellsWhatWouldBeFreed() async throws {
        let (ran, asked) = try await run(["--dry-run"])
        #expect(ran.code == 0 && asked == [true])
        #expect(ran.out.hasSuffix("1 asset would be deleted for good; that would free 2.5 MB.\n"))
    }
}

@Suite struct ConfirmCommandTests {
    private func run(_ arguments: String...) async throws -> (ran: Ran, request: ConfirmRequest) {
        var result: (Ran, ConfirmRequest)?
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { _ in .json(ConfirmResult(trashedCount: 25, held: Sample.held)) }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                let ran = try await albumctl(
                    arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:], isTerminal: false)
                let body = try #require(daemon.asked.first?.request.body)
                result = (ran, try JSON.decode(ConfirmRequest.self, from: body))
            }
        }
        return try #require(result)
    }

    @Test func aTokenIsConfirmed() async throws {
        let (ran, request) = try await run("confirm", Sample.held.token)
        #expect(ran.out == "25 assets are in Recently Deleted: albumctl trash list\n")
        #expect(request == ConfirmRequest(token: Sample.held.token, isDryRun: false))
    }

    @Test func aDryRunListsTheFilesThatWait() async throws {
        let (ran, request) = try await run("confirm", Sample.held.token, "--dry-run")
        #expect(ran.lines.first == "/in/a.jpg" && ran.lines.last?.hasPrefix("25 files of '/in' wait since ") == true)
        #expect(request.isDryRun == true)
    }
}

/// What status, asset get and watch say of deletion.
@Suite struct DeletionTellingTests {
    private func run(_ arguments: String..., answer: @escaping FakeDaemon.Answer) async throws -> Ran {
        var result: Ran?
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                result = try await albumctl(
                    arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:], isTerminal: false)
            }
        }
        return try #require(result)
    }

    private func status(_ deletion: DeletionStatus) async throws -> Ran {
        try await run("status") { _ in .json(Sample.status(deletion: deletion)) }
    }

    @Test func statusSaysOnWhichDayPhotosVanish() async throws {
        // 2026-12-04, 12:00 UTC: a Friday in nearly every zone.
        let friday = Date(microseconds: 1_796_385_600_000_000)
        let ran = try await status(DeletionStatus(trashedCount: 4, expiryDate: friday, expiryCount: 3))
        #expect(ran.out.contains("4 assets in Recently Deleted; 3 photos vanish for ever on Friday, 2026-12-04\n"))
    }

    @Test func statusIsSilentOfWhatIsNot() async throws {
        let ran = try await status(DeletionStatus())
        for word in ["Deleted", "Clock", "Missing"] { #expect(!ran.out.contains(word)) }
    }

    @Test func statusSaysThatTheClockJumped() async throws {
        let ran = try await status(DeletionStatus(isClockFrozen: true))
        #expect(
            ran.out.contains(
                "Clock     nothing vanishes for now: the clock jumped, albumd was off for more than a day, or its catalogue is new\n"
            ))
    }

    @Test func statusCountsFilesThatOneScanDidNotFind() async throws {
        let ran = try await run("status") { _ in
            var report = Sample.status()
            report.folders[0].missedCount = 2
            return .json(report)
        }
        #expect(ran.out.contains("Missing   2 files: looked for again within a minute\n"))
    }

    @Test func aTrashedAssetSaysSo() async throws {
        let ran = try await run("asset", "get", "\(Sample.identifier)") { _ in
            var row = Sample.asset()
            row.trashing = TrashingRow(
                Trashing(date: Sample.date, reason: .sourceDeleted, folder: nil, runningSeconds: 0))
            return .json(row)
        }
        #expect(ran.out.contains("(sourceDeleted), vanishes for ever on "))
    }

    @Test func watchNamesWhatIsDeletedRestoredAndPurged() async throws {
        let identifier = Sample.identifier
        let requests: [ChangeRequest] = [
            .trashAssets(AssetTrashing(assets: [identifier], reason: .person, runningSeconds: 0)),
            .restoreAssets(AssetRestoring(assets: [identifier])),
            .purgeAsset(
                AssetPurge(
                    localIdentifier: identifier, contents: [], originalFilenames: [PathBytes("a.jpg")],
                    reason: .expired)),
        ]
        let row = ChangeRow(token: 8, date: Sample.date, origin: "api uid 0", changes: requests)
        let ran = try await run("watch", "--after", "7") { _ in .lines([JSON.line(row)]) }
        #expect(ran.out.contains("trashAssets  1 asset  person\n"))
        #expect(ran.out.contains("restoreAssets  1 asset\n"))
        #expect(ran.out.contains("purgeAsset  \(identifier)  expired  a.jpg\n"))
    }
}
