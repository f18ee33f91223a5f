import Control
import PhotoModel
import Platform
import TestSupport
import Testing

@testable import albumctl

/// Done, and something is degraded: exit status 3.
@Suite struct DegradedTests {
    private func run(_ arguments: [String], answer: Response) async throws -> Ran {
        var ran: Ran?
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in answer }) { daemon in
                ran = try await albumctl(
                    arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:], isTerminal: false)
            }
        }
        return try #require(ran)
    }

    @Test(arguments: [
        (["incomplete": 1], [], 0), (["noSpace": 1], [], 3), ([:], ["/in"], 3), (["unheardOf": 1], [], 3),
    ])
    func aFlushIsWhatStillWaits(waiting: [String: Int], offline: [String], code: Int) async throws {
        let result = FlushResult(waiting: waiting, offline: offline, token: 1)
        for option in [[], ["--json"]] {
            #expect(Int(try await run(["flush"] + option, answer: .json(result)).code) == code)
        }
    }

    private static var away: FolderRow {
        var row = FolderRow(
            rule: FolderRule(path: Array("/in".utf8), album: "Inbox"), standing: "offline", watching: "none",
            isFromCommand: false)
        row.detail = "'/in' is not there"
        return row
    }

    private static var closed: FolderRow {
        var row = Sample.folder()
        row.unreadable = ["d: Permission denied"]
        return row
    }

    @Test(arguments: [away, closed]) func aReconcileThatCouldNotLookEverywhereIsDegraded(row: FolderRow) async throws {
        for option in [[], ["--json"]] {
            let answer = Response.json(PageOf(rows: [Sample.folder(), row], next: nil))
            #expect(try await run(["reconcile"] + option, answer: answer).code == 3)
        }
    }

    @Test func aFolderThatIsAwayIsWatchedByNothing() async throws {
        let ran = try await run(["folder", "list"], answer: .json(PageOf(rows: [Self.away], next: nil)))
        #expect(ran.lines.dropFirst().first?.hasPrefix("offline  -  ") == true, "\(ran.out)")
    }

    @Test(arguments: [["plan"], ["plan", "--json"], ["reconcile", "--dry-run"]])
    func aPlanNamesAFolderThatIsAway(arguments: [String]) async throws {
        var row = PlanRow(path: PathBytes("/in"), mode: "copy")
        (row.outcome, row.reason, row.detail) = (.pending, .folderOffline, "'/in' is not there")
        let lines = [JSON.line(["row": row]), JSON.line(["end": ["pending": 1]])]
        let ran = try await run(arguments, answer: .lines(lines))
        #expect(ran.code == 3)
        #expect(ran.out.contains("folderOffline") && ran.out.contains("is not there"))
    }

    @Test(arguments: [
        (Outcome.blocked, Reason.permission, 3), (.failed, .ioError, 3), (.pending, .noSpace, 3),
        (.pending, .incomplete, 0), (.skipped, .notMedia, 0),
    ])
    func aPlanIsDegradedWhereAFileWouldBeKeptOut(outcome: Outcome, reason: Reason, code: Int) async throws {
        var row = PlanRow(path: PathBytes("/in/a.jpg"), mode: "copy")
        (row.outcome, row.reason) = (outcome, reason)
        let lines = [JSON.line(["row": row]), JSON.line(["end": [outcome.rawValue: 1]])]
        for option in [[], ["--json"]] {
            let ran = try await run(["plan"] + option, answer: .lines(lines))
            #expect(Int(ran.code) == code && ran.out.contains("/in/a.jpg"), "\(ran.out)")
        }
    }

    /// RULES S7: for scripts, a path is its very bytes, and nothing else is printed.
    @Test(arguments: [["plan", "-0"], ["plan", "--null"]])
    func aScriptGetsThePathsAlone(arguments: [String]) async throws {
        let path = "/in/a\n\u{1B}]0;b.jpg"
        var row = PlanRow(path: PathBytes(path), mode: "copy")
        (row.outcome, row.reason) = (.imported, .newContent)
        let lines = [JSON.line(["row": row]), JSON.line(["end": ["imported": 1]])]
        let ran = try await run(arguments, answer: .lines(lines))
        #expect(ran.out == path + "\0" && ran.code == 0)
    }

    @Test func aScriptGetsThePathsOfFoldersAlone() async throws {
        let ran = try await run(["folder", "list", "-0"], answer: .json(PageOf(rows: [Self.away], next: nil)))
        #expect(ran.out == Self.away.path + "\0", "\(ran.out)")
    }
}
