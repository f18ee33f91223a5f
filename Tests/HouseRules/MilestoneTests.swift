import Platform
import Testing

/// The named crash points: each is one that the program passes, and one that a crash test kills it at.
struct MilestoneTests {
    @Test(arguments: Milestone.allCases)
    func aMilestoneIsReached(milestone: Milestone) {
        let files = SourceTree.swiftFiles.filter { $0.isBelow(["Sources/"]) }
        #expect(files.contains { isReached(milestone, in: $0.swift) }, "nothing reaches \(milestone)")
    }

    @Test func theRuleTellsReachedFromNamed() {
        #expect(isReached(.staged, in: SwiftText("try machine.reach(.staged)")))
        #expect(!isReached(.staged, in: SwiftText("try machine.reach(.stagedHalf)")))
        #expect(!isReached(.staged, in: SwiftText("// machine.reach(.staged)\nlet a = Milestone.staged")))
    }
}

private func isReached(_ milestone: Milestone, in text: SwiftText) -> Bool {
    text.code.contains { $0.contains("reach(.\(milestone.rawValue))") }
}
