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

    @Test func anOutageSaysThatItGoesOn() {
        #expect(Daemon.sentence(of: ObjectStoreError(.unreachable, "offline")).contains("goes on"))
    }
}
