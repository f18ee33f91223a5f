import Cloud
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
