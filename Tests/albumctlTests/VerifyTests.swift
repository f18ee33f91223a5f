import Control
import FoundationEssentials
import PhotoModel
import TestSupport
import Testing

@testable import albumctl

@Suite struct VerifyTests {
    private func run(_ arguments: [String], answering lines: [[UInt8]]) async throws -> (Ran, [UInt8]?) {
        try await withScratchFolder { folder in
            var body: [UInt8]?
            var ran: Ran?
            try await FakeDaemon.with(in: folder, answer: { _ in .lines(lines) }) { daemon in
                ran = try await albumctl(
                    arguments.map { Array($0.utf8) }, socket: daemon.socketPath, variables: [:], isTerminal: false)
                body = daemon.asked.first?.request.body
            }
            return (try #require(ran), body)
        }
    }

    private static func end(isSound: Bool, _ findings: [String: Int] = [:]) -> [UInt8] {
        var end = VerifyEnd()
        (end.isSound, end.checked, end.findings) = (isSound, 3, findings)
        return JSON.line(VerifyLine.end(end))
    }

    private static var finding: [UInt8] {
        var row = VerifyRow(.corrupt, checked: 1, total: 3, byteCount: 9)
        (row.path, row.detail, row.originalFilename) = ("originals/ab/x.jpg", "other bytes", "a\u{1B}.jpg")
        row.fix = "albumctl repair"
        return JSON.line(row)
    }

    @Test func whatIsSoundIsDone() async throws {
        let progress = JSON.line(VerifyRow(checked: 1, total: 3, byteCount: 9))
        let (ran, _) = try await run(["verify"], answering: [progress, Self.end(isSound: true, ["orphan": 1])])
        #expect(ran.code == 0)
        #expect(ran.lines.last == "Everything is as it should be; 1 orphan is kept.")
        #expect(ran.lines.count == 2)
    }

    @Test func whatIsInTheCloudAloneWasNotLookedAt() async throws {
        var end = VerifyEnd()
        (end.checked, end.inCloudCount) = (3, 2)
        let (ran, _) = try await run(["verify"], answering: [JSON.line(VerifyLine.end(end))])
        #expect(
            ran.lines == [
                "3 originals were looked at; 0 changes in the journal.",
                "2 originals are in the cloud alone and not looked at: albumctl cloud verify asks for each.",
                "Everything is as it should be.",
            ])
    }

    @Test func aFindingIsThreeAndNamesTheAct() async throws {
        let (ran, _) = try await run(
            ["verify", "--deep"], answering: [Self.finding, Self.end(isSound: false, ["corrupt": 1])])
        #expect(ran.code == 3)
        #expect(ran.lines.first == #"corrupt           originals/ab/x.jpg  'a\x1b.jpg'  other bytes"#)
        #expect(ran.lines.suffix(2) == ["Found: corrupt 1.", "    albumctl repair"])
    }

    @Test func aVerificationThatIsCutOffHasFoundNothingSound() async throws {
        let (ran, _) = try await run(["verify"], answering: [Self.finding])
        #expect(ran.code == 69)
        #expect(!ran.out.contains("as it should be"))
    }

    @Test(arguments: [
        (["--sample", "5%"], "\"samplePercent\":5"), (["--sample", "0.5"], "\"samplePercent\":0.5"),
        (["--rate", "50MB/s"], "\"bytesPerSecond\":50000000"), (["--rate", "800kB"], "\"bytesPerSecond\":800000"),
        (["--rate", "1.5MB/s"], "\"bytesPerSecond\":1500000"),
        (["--deep", "--resume"], "\"resume\":true"),
    ])
    func itsOptionsAreUnderstood(options: [String], sent: String) async throws {
        let (ran, body) = try await run(["verify"] + options, answering: [Self.end(isSound: true)])
        #expect(ran.code == 0)
        #expect(String(decoding: body ?? [], as: UTF8.self).contains(sent))
    }

    @Test(arguments: [
        ["--sample", "0"], ["--sample", "101%"], ["--sample", "nan"], ["--rate", "fast"], ["--rate", "0"],
        ["--rate", "5XB/s"], ["--resume"],
    ])
    func whatIsNoneIsRefused(options: [String]) async throws {
        let (ran, body) = try await run(["verify"] + options, answering: [])
        #expect(ran.code == 2 && body == nil)
    }

    private static func repaired(_ outcome: RepairRow.Outcome) throws -> [UInt8] {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        return JSON.line(RepairRow(outcome, path: PathBytes("originals/ab/x.jpg"), sha256: hash))
    }

    @Test(arguments: [
        (RepairRow.Outcome.repaired, 0), (.wouldRepair, 0), (.lost, 3), (.failed, 3), (.sound, 0),
    ])
    func aRepairThatLeavesSomethingIsThree(outcome: RepairRow.Outcome, code: Int) async throws {
        let end = JSON.line(RepairLine.end([outcome.rawValue: 1]))
        let (ran, _) = try await run(["repair"], answering: [try Self.repaired(outcome), end])
        #expect(Int(ran.code) == code)
        #expect(ran.lines.last == "In all: \(outcome.rawValue) 1")
    }

    @Test func orphansAreDeletedOnlyWithYes() async throws {
        let end = JSON.line(RepairLine.end(["wouldDiscard": 1]))
        let lines = [try Self.repaired(.wouldDiscard), end]
        let (asked, body) = try await run(["repair", "--discard-orphans"], answering: lines)
        #expect(asked.code == 0 && asked.out.contains("--yes deletes them for good"))
        #expect(String(decoding: body ?? [], as: UTF8.self).contains("\"dryRun\":true"))
        let (_, sure) = try await run(["repair", "--discard-orphans", "--yes"], answering: [end])
        #expect(String(decoding: sure ?? [], as: UTF8.self) == #"{"discardOrphans":true,"dryRun":false}"#)
        let (both, dry) = try await run(["repair", "--discard-orphans", "--yes", "--dry-run"], answering: [end])
        #expect(both.code == 0 && String(decoding: dry ?? [], as: UTF8.self).contains("\"dryRun\":true"))
        #expect(try await run(["repair", "--yes"], answering: []).0.code == 2)
    }

    @Test(arguments: HistorySide.allCases) func aRepairTakesTheSideThatAPersonNames(side: HistorySide) async throws {
        let end = JSON.line(RepairLine.end(["repaired": 1]))
        let (ran, body) = try await run(["repair", "--history", side.rawValue], answering: [end])
        #expect(ran.code == 0)
        let sent = #"{"discardOrphans":false,"dryRun":false,"history":"\#(side.rawValue)"}"#
        #expect(String(decoding: body ?? [], as: UTF8.self) == sent)
        for wrong in [["--history", "both"], ["--history", side.rawValue, "--discard-orphans"]] {
            let (refused, sent) = try await run(["repair"] + wrong, answering: [])
            #expect(refused.code == 2 && sent == nil)
        }
    }
}
