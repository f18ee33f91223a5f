import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

/// `cloud evict`, `fetch`, `verify` and `drill`: a line for each original, and an exit status that tells the truth.
@Suite struct CloudMoveTests {
    private static let identifier = "\(Sample.identifier)"

    private func run(
        _ arguments: [String], answering lines: [[UInt8]], isTerminal: Bool = false
    ) async throws -> (Ran, FakeDaemon.Asked?) {
        var (ran, asked): (Ran?, FakeDaemon.Asked?)
        try await withScratchFolder { folder in
            try await FakeDaemon.with(in: folder, answer: { _ in .lines(lines) }) { daemon in
                ran = try await albumctl(
                    arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:],
                    isTerminal: isTerminal)
                asked = daemon.asked.first
            }
        }
        return (try #require(ran), asked)
    }

    private static func row(_ outcome: CloudRow.Outcome?) throws -> CloudRow {
        var row = CloudRow(
            sha256: ContentHash(bytes: [UInt8](repeating: 7, count: 32)), byteCount: 2_000_000)
        (row.localIdentifier, row.originalFilename, row.outcome) = (Sample.identifier, "a\u{1B}.jpg", outcome)
        return row
    }

    private static func lines(_ outcomes: CloudRow.Outcome...) throws -> [[UInt8]] {
        let end = CloudLine.end(Dictionary(outcomes.map { ($0.rawValue, 1) }, uniquingKeysWith: +))
        return try outcomes.map { JSON.line(CloudLine.row(try row($0))) } + [JSON.line(end)]
    }

    @Test(arguments: [
        (CloudRow.Outcome.evicted, 0), (.fetched, 0), (.unchanged, 0), (.wouldEvict, 0), (.wouldFetch, 0),
        (.proven, 0), (.restored, 0), (.uploadedAgain, 0), (.absent, 3), (.different, 3), (.refused, 5),
        (.lost, 1), (.failed, 1),
    ])
    func theExitStatusIsDoneOnlyWhereTheOriginalIs(outcome: CloudRow.Outcome, code: Int) async throws {
        for option in [[], ["--json"]] {
            let (ran, _) = try await run(
                ["cloud", "evict", Self.identifier] + option, answering: try Self.lines(outcome))
            #expect(Int(ran.code) == code, "\(ran.out) \(ran.error)")
        }
    }

    @Test func whatFailedWeighsMoreThanWhatWasRefused() async throws {
        let all = try Self.lines(.evicted, .failed, .refused)
        #expect(try await run(["cloud", "evict", "--all"], answering: all).0.code == 1)
        let refused = try Self.lines(.absent, .refused, .evicted)
        #expect(try await run(["cloud", "evict", "--all"], answering: refused).0.code == 5)
    }

    @Test func anOriginalIsALineWithTheActThatMendsIt() async throws {
        var row = try Self.row(.refused)
        (row.reason, row.detail, row.fix) = ("pinned", "it stays on the disk: pinned", "albumctl cloud unpin ID")
        let (ran, asked) = try await run(
            ["cloud", "evict", Self.identifier], answering: [JSON.line(row), JSON.line(CloudLine.end(["refused": 1]))])
        #expect(
            ran.lines == [
                #"refused        \#(Self.identifier)  a\x1b.jpg, 2.0 MB  (it stays on the disk: pinned)"#,
                "    albumctl cloud unpin ID", "In all: refused 1, 2.0 MB",
            ])
        #expect(asked?.operation == .evictAssets)
    }

    @Test func aLineWithoutAnOutcomeIsProgressAlone() async throws {
        var moving = try Self.row(nil)
        moving.receivedByteCount = 1_000_000
        let lines = [JSON.line(moving)] + (try Self.lines(.fetched))
        let (pipe, _) = try await run(["cloud", "fetch", Self.identifier], answering: lines)
        #expect(pipe.lines.count == 2 && pipe.error.isEmpty)
        let (terminal, _) = try await run(["cloud", "fetch", Self.identifier], answering: lines, isTerminal: true)
        #expect(terminal.error.contains(#"a\x1b.jpg: 1.0 MB of 2.0 MB"#))
        let (json, _) = try await run(["cloud", "fetch", Self.identifier, "--json"], answering: lines)
        #expect(json.lines.count == 3)
        #expect(
            try JSON.decode(CloudLine.self, from: Array((json.lines.first ?? "").utf8)) == .row(moving))
    }

    @Test(arguments: [
        (["evict", "--all"], Operation.evictAssets, #"{"all":true,"isDryRun":false}"#),
        (["evict", "--all", "--dry-run"], .evictAssets, #"{"all":true,"isDryRun":true}"#),
        (["fetch", "--path", "/in/a.jpg"], .fetchAssets, #"{"isDryRun":false,"subjects":[{"path":"/in/a.jpg"}]}"#),
        (["verify"], .verifyCloud, #"{"all":true}"#),
        (["verify", "--path", "/in/a.jpg"], .verifyCloud, #"{"isDryRun":false,"subjects":[{"path":"/in/a.jpg"}]}"#),
        (["drill"], .drillCloud, #"{"all":true,"sample":10}"#),
        (["drill", "--sample", "3"], .drillCloud, #"{"all":true,"sample":3}"#),
    ])
    func whatIsMeantIsAsked(arguments: [String], operation: Operation, body: String) async throws {
        let (ran, asked) = try await run(["cloud"] + arguments, answering: [JSON.line(["end": [String: Int]()])])
        #expect(ran.code == 0 && ran.out == "There is nothing to do.\n", "\(ran.error)")
        #expect(asked?.operation == operation)
        #expect(String(decoding: asked?.request.body ?? [], as: UTF8.self) == body)
    }

    @Test(arguments: [
        ["evict"], ["fetch"], ["evict", "--all", "--path", "/a"], ["fetch", "--all", "\(Sample.identifier)"],
        ["drill", "--sample", "0"], ["evict", "nonsense"],
    ])
    func whatIsNotClearIsRefused(arguments: [String]) async throws {
        let (ran, asked) = try await run(["cloud"] + arguments, answering: [])
        #expect(ran.code == 2 && asked == nil)
    }

    @Test func aStreamThatIsCutOffIsNoEnd() async throws {
        let (ran, _) = try await run(
            ["cloud", "evict", Self.identifier], answering: [JSON.line(try Self.row(.evicted))])
        #expect(ran.code == 69)
    }

    /// It is no original, and a damaged one is no success.
    @Test(arguments: [
        (CloudRow.Outcome.different, 3), (.absent, 3), (.failed, 1), (.uploadedAgain, 0), (.deleted, 0), (.proven, 0),
    ])
    func theHistoryIsToldOfByItself(outcome: CloudRow.Outcome, code: Int) async throws {
        var row = CloudRow(sha256: nil, byteCount: 7)
        (row.object, row.outcome) = ("library/changes/1-2", outcome)
        let (ran, _) = try await run(["cloud", "verify"], answering: [JSON.line(row)] + (try Self.lines(.proven)))
        #expect(Int(ran.code) == code)
        #expect(ran.lines.contains { $0.contains("library/changes/1-2") } == (outcome != .proven))
        #expect(
            ran.lines.suffix(2) == ["In all: proven 1, 2.0 MB", "The library's history there: \(outcome.rawValue) 1"])
    }

    @Test func ofAllCopiesOnlyThoseAreToldOfWhichThereIsSomethingToSay() async throws {
        let (ran, _) = try await run(["cloud", "verify"], answering: try Self.lines(.proven, .absent))
        #expect(ran.lines.count == 2 && ran.lines.first?.hasPrefix("absent ") == true)
        #expect(ran.lines.last == "In all: absent 1, proven 1, 4.0 MB")
    }
}
