import Platform
import Synchronization
import Testing

/// Long work lets short answers go first, and goes on however many ask.
@Suite struct CourtesyTests {
    @Test func longWorkGoesOnWhenNobodyAsks() {
        let courtesy = Courtesy()
        courtesy.end(courtesy.begin())
        courtesy.giveWay()
    }

    /// A clock that stands still: nothing but the end of the answer, or the pause's own end, lets the work go on.
    @Test func longWorkGoesOnWhenTheAnswerIsMade() {
        let courtesy = Courtesy { .zero }
        let ticket = courtesy.begin()
        let worker = NamedThread.start("worker") { courtesy.giveWay() }
        courtesy.end(ticket)
        worker.join()
    }

    @Test func longWorkGoesOnThoughSomebodyAlwaysAsks() {
        let courtesy = Courtesy { .zero }
        let tickets = (0..<3).map { _ in courtesy.begin() }
        for _ in 0..<5 { courtesy.giveWay() }
        for ticket in tickets { courtesy.end(ticket) }
    }

    /// Who has come and was not let in yet is waited for, until he has his answer.
    @Test func longWorkLetsInWhoStandsAtTheDoor() {
        let courtesy = Courtesy(longestPause: .seconds(60)) { .zero }
        let isLookedAt = Monitor(false)
        let log = Mutex<[String]>([])
        courtesy.watch {
            isLookedAt.update { $0 = true }
            return true
        }
        let worker = NamedThread.start("worker") {
            courtesy.giveWay()
            log.withLock { $0.append("work") }
        }
        isLookedAt.wait { $0 ? () : nil }
        let ticket = courtesy.begin()
        log.withLock { $0.append("answer") }
        courtesy.end(ticket)
        worker.join()
        #expect(log.withLock(\.self) == ["answer", "work"])
    }

    /// A fetch over the network is no short answer: its patience is over, and the pause is none.
    @Test func anAnswerThatTakesLongIsNotWaitedFor() {
        let now = Mutex(Duration.zero)
        let courtesy = Courtesy { now.withLock { $0 } }
        let ticket = courtesy.begin()
        #expect(courtesy.isWaitedFor)
        now.withLock { $0 = .seconds(1) }
        #expect(!courtesy.isWaitedFor)
        courtesy.end(ticket)
        #expect(!courtesy.isWaitedFor)
    }
}
