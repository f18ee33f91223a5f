import Cloud
import Control
import FoundationEssentials
import PhotoModel
import Platform
import Testing

@testable import Daemon

/// What a person hears of a restore that waits, or fails.
@Suite struct RestoreWaitTests {
    private func told(during waits: [Duration]) -> Int {
        let (now, told) = (Monitor(Duration.zero), Monitor(0))
        let wait = RestoreWait(
            uptime: { now.update { $0 } }, pause: { duration in now.update { $0 += duration } },
            tell: { _ in told.update { $0 += 1 } })
        for duration in waits { wait.rest(duration) }
        return told.update { $0 }
    }

    @Test func whatTheStoreSaidIsToldWhileItIsWaitedFor() {
        let (now, told) = (Monitor(Duration.zero), Monitor<[String]>([]))
        let wait = RestoreWait(
            uptime: { now.update { $0 } }, pause: { duration in now.update { $0 += duration } },
            tell: { line in told.update { $0.append(line) } })
        wait.rest(.seconds(11), because: ObjectStoreError(.forbidden, "who are you?"))
        #expect(told.update { $0 }.map { $0.contains("who are you?") } == [true])
    }

    /// A number of photos helps nobody find them.
    @Test func whatDidNotComeBackHasAName() throws {
        let counts =
            #"{"library":"0C4B1D5E-6A0F-4C52-9C0E-2C1D7E0B9A11","token":9,"assets":12,"albums":0,"originals":0,"#
            + #""denied":1,"missing":11,"lostChanges":0,"damagedObjects":[],"skippedRequests":0}"#
        var report = try JSON.decode(RestoreReport.self, from: Array(counts.utf8))
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        let asset = try #require(LocalIdentifier("6AA5251E-0A0B-4C0D-8E0F-001122334455/L0/001"))
        report.lacking = (1...11).map {
            LackingOriginal(reason: .missing, hash: hash, asset: asset, filename: PathBytes("\($0)\u{1B}.jpg"))
        }
        let rows = report.names(of: .missing, count: 11)
        #expect(rows.count == 11 && rows[0].contains("(\(asset))") && !rows[0].contains("\u{1B}"))
        #expect(rows.last == "    and 1 other: albumctl verify, once albumd runs, names each")
        #expect(report.names(of: .denied, count: 1).count == 1)
        let end = RestoreEnd(report)
        #expect(end.lackingOriginals.count == 11)
        let line = JSON.encode(end)
        let read = try JSON.decode(RestoreEnd.self, from: Array(line))
        #expect(read.lackingOriginals == end.lackingOriginals && read.report.missing == 11)
    }

    /// Those of the README's table, each.
    @Test func theHelpHasEveryExitStatus() {
        let codes = Options.help.split(separator: "Exit codes:").last ?? ""
        for code in [0, 3, 64, 69, 74, 78] { #expect(codes.contains(" \(code) "), "\(code)") }
    }

    @Test func itIsToldEveryTenSecondsHoweverLongEachWaitIs() {
        #expect(told(during: [.seconds(9)]) == 0)
        #expect(told(during: [.seconds(60)]) == 6)
        #expect(told(during: [Duration](repeating: .milliseconds(500), count: 120)) == 6)
    }

    @Test(arguments: [
        MirrorError.empty, .notEmpty(path: "/l"), .damaged(key: "library/identity"), .vanished,
        .noStore(path: "/c"), .ahead(token: 4), .otherLibrary("x"), .unfit(token: 3, why: "no such album"),
    ])
    func everyRefusalSaysWhatToDo(error: MirrorError) {
        let sentence = Daemon.sentence(of: error)
        #expect(
            ["name ", "give ", "put ", "mount ", "albumd restore"].contains { sentence.contains($0) }, "\(sentence)")
    }

    /// What is pasted is about the same library, and gives up what was given up.
    @Test func theAdviceKeepsTheOptionsThatWereGiven() throws {
        let given = try Options(
            ["--config", "/etc/my albumd.toml", "restore", "--from-cloud", "--partial"].map { Array($0.utf8) })
        let outage = given.completing(
            Daemon.sentence(of: ObjectStoreError(.unreachable, "offline")), user: nil)
        #expect(outage.hasSuffix("albumd --config '/etc/my albumd.toml' restore --from-cloud --partial"), "\(outage)")
        let unfit = given.completing(Daemon.sentence(of: MirrorError.unfit(token: 3, why: "x")), user: nil)
        #expect(unfit.hasSuffix("restore --from-cloud --partial") && !unfit.contains("--partial --partial"), "\(unfit)")
        let plain = try Options([])
        #expect(plain.completing("albumd restore --from-cloud", user: nil) == "albumd restore --from-cloud")
        let service = plain.completing(Daemon.sentence(of: MirrorError.notEmpty(path: "/l")), user: "albumd")
        let advice = "sudo -u albumd mv /l /l.before && sudo -u albumd albumd restore --from-cloud"
        #expect(service.hasSuffix(": " + advice), "\(service)")
    }

    @Test func anOutageSaysThatItGoesOn() {
        #expect(Daemon.sentence(of: ObjectStoreError(.unreachable, "offline")).contains("goes on then"))
    }

    /// Once a second, and the end of each step.
    @Test(arguments: [true, false]) func howFarItIsIsToldInLines(isJSON: Bool) throws {
        let (now, said) = (Monitor(Duration.zero), Monitor<[String]>([]))
        let telling = RestoreTelling(
            isJSON: isJSON, uptime: { now.update { $0 } }, write: { text, _ in said.update { $0.append(text) } })
        for done in 1...3000 as ClosedRange<Int64> {
            now.update { $0 += .milliseconds(1) }
            telling.tell(.history, done, 3000)
        }
        telling.tell(.history, 3000, 3000)
        telling.tell(.catalogue, 3000, 3000)
        let lines = said.update { $0 }
        #expect(lines.count == 5)
        if isJSON {
            #expect(
                lines[1] == #"{"all":3000,"done":1001,"step":"history"}"# + "\n" || lines[1].contains(#""done":1001"#))
        } else {
            #expect(lines[3] == "albumd: history: 3000 of 3000 changes read\n")
        }
    }
}
