import Control
import Platform
import Testing

@testable import Daemon
@testable import PhotoStore

/// Which side a person may take, and what is said where there is only one.
@Suite struct HistoryRepairTests {
    private func line(_ origin: String) -> [UInt8] {
        Array(#"{"token":5,"date":"2026-11-30T02:01:09.250000Z","origin":"\#(origin)","changes":[]}"#.utf8)
    }

    private let unread = Array(#"{"token":5,"date":"2026-"#.utf8)

    private func fault(_ journal: [UInt8], _ history: [UInt8]?, _ side: HistoryFault.Side = .unknown) -> HistoryFault {
        HistoryFault(token: 5, side: side, journalText: journal, month: [], offset: 0, historyText: history)
    }

    @Test func thePersonsWordDecidesWhatNobodyCanKnowAndNothingElse() {
        let faults = [fault(line("a"), line("b")), fault(line("a"), line("b"), .journal)]
        #expect(faults.settled(by: nil) == faults)
        #expect(faults.settled(by: .catalogue).map(\.side) == [.journal, .journal])
        #expect(faults.settled(by: .journal).map(\.side) == [.history, .journal])
    }

    /// A side that is not understood, or that is not one, is not taken.
    @Test func whatCannotBeReadIsNotTaken() {
        #expect([fault(line("a"), nil)].settled(by: .catalogue).map(\.side) == [.unknown])
        #expect([fault(line("a"), unread)].settled(by: .catalogue).map(\.side) == [.unknown])
        #expect([fault(unread, line("b"))].settled(by: .journal).map(\.side) == [.unknown])
        let two = [fault(line("a"), line("c")), fault(line("b"), line("c"))]
        #expect(two.settled(by: .journal).map(\.side) == [.unknown, .unknown])
        #expect(two.settled(by: .catalogue).map(\.side) == [.journal, .journal])
    }

    @Test func theAdviceNamesASideThatCanBeTaken() {
        #expect(fault(line("a"), line("b")).advice == HistoryFault.advice)
        #expect(HistoryFault.advice.contains("albumctl repair --history catalogue, or --history journal"))
        #expect(fault(line("a"), nil).advice.hasSuffix("albumctl repair --history journal"))
        #expect(fault(unread, line("b")).advice.hasSuffix("albumctl repair --history catalogue"))
        #expect(fault(unread, unread).advice.contains("from a backup"))
    }
}
