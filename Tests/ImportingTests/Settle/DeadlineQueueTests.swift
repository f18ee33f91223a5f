import Platform
import TestSupport
import Testing

@testable import Importing

@Suite struct DeadlineQueueTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func elementsComeInTheOrderOfTheirTimes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let times = (0..<200).map { _ in Int.random(in: 0..<50, using: &random) }
        var queue = DeadlineQueue<Int>()
        for time in times { queue.add(time, due: .seconds(time)) }
        var taken: [Int] = []
        while let next = queue.removeEarliest(by: .seconds(1000)) {
            #expect(next.due == .seconds(next.element))
            taken.append(next.element)
        }
        #expect(taken == times.sorted())
        #expect(queue.earliest == nil)
    }

    @Test func nothingComesBeforeItsTime() {
        var queue = DeadlineQueue<String>()
        queue.add("late", due: .seconds(9))
        queue.add("soon", due: .seconds(3))
        #expect(queue.earliest == .seconds(3))
        let taken = [2, 3, 8].map { queue.removeEarliest(by: .seconds($0))?.element }
        #expect(taken == [nil, "soon", nil])
    }

    @Test func anEmptyQueueHasNothing() {
        var queue = DeadlineQueue<Int>()
        let taken = queue.removeEarliest(by: .seconds(1))
        #expect(queue.earliest == nil && taken == nil)
    }
}
