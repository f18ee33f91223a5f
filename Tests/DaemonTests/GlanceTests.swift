import Platform
import Testing

@testable import Daemon

/// A disk that never answers keeps nobody who asks about it.
@Suite struct GlanceTests {
    @Test func whatDoesNotAnswerIsNotWaitedFor() {
        let gate = Monitor(false)
        let looks = Monitor(0)
        let glance = Glance(on: .live(log: .silent)) {
            looks.update { $0 += 1 }
            gate.wait { $0 ? () : nil }
            return "there"
        }
        for _ in 0..<3 { #expect(glance.now(within: .zero) == nil) }
        looks.wait { $0 > 0 ? () : nil }
        gate.update { $0 = true }
        #expect(glance.now(within: .seconds(60)) == "there")
    }

    @Test func oneLookAtATimeIsUnderWay() {
        let gate = Monitor(false)
        let looks = Monitor(0)
        let glance = Glance(on: .live(log: .silent)) {
            looks.update { $0 += 1 }
            gate.wait { $0 ? () : nil }
        }
        for _ in 0..<3 { _ = glance.now(within: .zero) }
        looks.wait { $0 > 0 ? () : nil }
        #expect(looks.update { $0 } == 1)
        gate.update { $0 = true }
    }

    /// What was seen before says nothing of now.
    @Test func everyAnswerIsALookOfItsOwn() {
        let count = Monitor(0)
        let glance = Glance(on: .live(log: .silent)) {
            count.update { count in
                count += 1
                return count
            }
        }
        #expect(glance.now(within: .seconds(60)) == 1)
        #expect(glance.now(within: .seconds(60)) == 2)
    }
}
