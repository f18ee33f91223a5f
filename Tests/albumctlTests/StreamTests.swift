import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

@Suite struct StreamTests {
    private static func row(_ path: String, isUnchanged: Bool = false) -> [UInt8] {
        var row = PlanRow(path: PathBytes(path), mode: "copy")
        (row.isUnchanged, row.outcome, row.reason) = (isUnchanged, .imported, .newContent)
        return JSON.line(["row": row])
    }

    private static let end = JSON.line(["end": ["imported": 1, "unchanged": 1]])

    private func run(_ arguments: String..., answering lines: [[UInt8]]) async throws -> Ran {
        try await run(arguments, answering: lines)
    }

    private func run(_ arguments: [String], answering lines: [[UInt8]]) async throws -> Ran {
        var ran: Ran?
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in .lines(lines) }) { daemon in
                ran = try await albumctl(
                    arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:], isTerminal: false)
            }
        }
        return try #require(ran)
    }

    @Test(arguments: [([], 2), (["--all"], 3)])
    func aPlanListsWhatIsToBeDoneAndThenTheCounts(options: [String], count: Int) async throws {
        let lines = [Self.row("/a"), Self.row("/b", isUnchanged: true), Self.end]
        let ran = try await run(["plan"] + options, answering: lines)
        #expect(ran.code == 0)
        #expect(ran.lines.count == count)
        #expect(ran.lines.last == "In all: imported 1, unchanged 1")
    }

    @Test func aDryRunListsDifferencesAlone() async throws {
        let lines = [Self.row("/a"), Self.row("/b", isUnchanged: true), Self.end]
        let ran = try await run("reconcile", "--dry-run", answering: lines)
        #expect(ran.lines.count == 2)
        #expect(ran.out.contains("/a") && !ran.out.contains("/b"))
        let nothing = try await run(
            "reconcile", "--dry-run",
            answering: [Self.row("/b", isUnchanged: true), JSON.line(["end": ["unchanged": 1]])])
        #expect(nothing.out == "Nothing would change.\n")
    }

    @Test func inJSONARowStandsByItselfAndTheEndComesLast() async throws {
        let ran = try await run("plan", "--json", answering: [Self.row("/a"), Self.end])
        #expect(try JSON.decode(PlanRow.self, from: Array((ran.lines.first ?? "").utf8)).path == "/a")
        #expect(
            try JSON.decode(PlanLine.self, from: Array((ran.lines.last ?? "").utf8))
                == .end(["imported": 1, "unchanged": 1]))
    }

    @Test func anErrorInTheStreamIsTheCommandsError() async throws {
        let problem = Problem.notFound("gone", fix: "f")
        let ran = try await run("plan", "--json", answering: [Self.row("/a"), JSON.line(["error": problem])])
        #expect(ran.code == 4)
        #expect(ran.error.contains("gone"))
        #expect(try JSON.decode(PlanLine.self, from: Array((ran.lines.last ?? "").utf8)) == .error(problem))
    }

    @Test func aStreamThatIsCutOffIsNoEnd() async throws {
        #expect(try await run("plan", answering: [Self.row("/a")]).code == 69)
        #expect(try await run("plan", answering: []).code == 69)
        #expect(try await run("plan", answering: [Self.row("/a"), Array("{\"ro".utf8)]).code == 69)
        #expect(try await run("plan", answering: [Array("nonsense\n".utf8)]).code == 1)
    }

    @Test func whereTheFeedEndsItSaysFromWhereToGoOn() async throws {
        let change = ChangeRow(token: 41, date: Sample.date, origin: "import", changes: [])
        for lines in [[JSON.line(change)], [JSON.line(change), JSON.line(["end": ["token": 41]])]] {
            let ran = try await run("watch", "--after", "7", answering: lines)
            #expect(ran.code == 69)
            #expect(ran.error.contains("albumctl watch --after 41"))
        }
    }

    @Test func theFeedBeginsNowOrWhereItIsTold() async throws {
        try await withScratchFolder { folder in
            let answer: FakeDaemon.Answer = { asked in
                asked.operation == .status ? .json(Sample.status(token: 12)) : .lines([])
            }
            try await FakeDaemon.with(in: folder, answer: answer) { daemon in
                _ = try await albumctl("watch", socket: daemon.socketPath)
                _ = try await albumctl("watch", "--after", "3", socket: daemon.socketPath)
                let feeds = daemon.asked.filter { $0.operation == .listChanges }.map(\.request.query)
                #expect(feeds == [["after": "12", "follow": "true"], ["after": "3", "follow": "true"]])
            }
        }
    }
}
