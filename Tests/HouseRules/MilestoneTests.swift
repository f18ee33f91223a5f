import Platform
import Testing

/// The named crash points: each is one that the program passes, and one that a crash test kills it at.
struct MilestoneTests {
    @Test(arguments: Milestone.allCases)
    func aMilestoneIsReached(milestone: Milestone) {
        let files = SourceTree.swiftFiles.filter { $0.isBelow(["Sources/"]) }
        #expect(files.contains { isReached(milestone, in: $0.swift) }, "nothing reaches \(milestone)")
    }

    @Test(arguments: Milestone.allCases)
    func theRealDaemonIsKilledAtIt(milestone: Milestone) {
        let files = SourceTree.swiftFiles.filter { $0.isBelow(["Tests/IntegrationTests/"]) }
        #expect(files.contains { isNamed(milestone, in: $0.swift) }, "no crash test names \(milestone)")
    }

    @Test func theRuleTellsReachedFromNamed() {
        #expect(isReached(.staged, in: SwiftText("try machine.reach(.staged)")))
        #expect(!isReached(.staged, in: SwiftText("try machine.reach(.stagedHalf)")))
        #expect(!isReached(.staged, in: SwiftText("// machine.reach(.staged)\nlet a = Milestone.staged")))
    }

    @Test(arguments: ["[Milestone.staged, .stagedHalf]", "Milestone.allCases.map(crash)", "crash(at: .staged)"])
    func theRuleFindsAName(text: String) { #expect(isNamed(.staged, in: SwiftText(text))) }

    @Test(arguments: ["// Milestone.allCases", "crash(at: .stagedHalf)", "let staged = 1"])
    func theRuleFindsNoOther(text: String) { #expect(!isNamed(.staged, in: SwiftText(text))) }
}

private func isReached(_ milestone: Milestone, in text: SwiftText) -> Bool {
    text.code.contains { $0.contains("reach(.\(milestone.rawValue))") }
}

/// By its own name, or with all.
private func isNamed(_ milestone: Milestone, in text: SwiftText) -> Bool {
    let words = [".\(milestone.rawValue)", "Milestone.allCases"].map { ForbiddenWord(word: $0, caught: []) }
    return words.contains { !$0.places(in: text).isEmpty }
}
