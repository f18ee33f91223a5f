import Cloud
import Control
import FoundationEssentials
import Importing
import PhotoModel
import Testing

@testable import Daemon

/// What status and pending say of what keeps albumd from its work, and the act that mends it.
@Suite struct StatusFactsTests {
    private func folder(_ standing: Standing) -> FolderStatus {
        FolderStatus(
            rule: FolderRule(path: Array("/in".utf8), album: "Inbox"), folder: nil, standing: standing,
            watching: .inotify, isScanning: false, isScanOwed: false, lastScan: nil, isMarked: true, unreadable: [:])
    }

    private func facts(
        _ folders: [FolderStatus] = [], reloadFailure: StatusProblem? = nil, waiting: [String: Int] = [:]
    ) -> StatusFacts {
        StatusFacts(
            engine: EngineStatus(folders: folders), assets: 1, unsound: 0, waiting: waiting, sources: [:],
            isReadOnly: false, orphans: 0, reloadFailure: reloadFailure)
    }

    @Test func aWrongConfigurationIsAProblemWithItsPlace() throws {
        let error = ConfigurationError(file: "/etc/albumd.toml", line: 3, column: 7, "is wrong")
        let problem = try #require(facts(reloadFailure: StatusProblem(notTakenOver: error)).problems.first)
        #expect(problem.what.contains("/etc/albumd.toml:3:7: is wrong"))
        #expect(problem.fix == "mend /etc/albumd.toml, then albumctl reload")
        #expect(facts().problems.isEmpty)
    }

    /// RULES R32: in a mirrored folder that is not wholly read nothing counts as deleted.
    @Test func whatCannotBeReadKeepsDeletionsFromBeingFollowed() throws {
        var mirrored = folder(.online)
        mirrored.unreadable = [PathBytes("locked"): "Permission denied"]
        let kept = try #require(facts([mirrored]).problems.first)
        #expect(!kept.what.contains("deletion"))
        mirrored.rule.onSourceDeleted = .trash
        let problem = try #require(facts([mirrored]).problems.first)
        #expect(problem.what.hasPrefix("'/in/locked' cannot be read: Permission denied"))
        #expect(problem.what.hasSuffix("no deletion that a scan finds is followed there"))
    }

    @Test func aFolderThatWasMadeAnewIsMendedByAPersonsWord() throws {
        let away = folder(.offline("its marker is gone; if it is right, run albumctl folder confirm '/in'"))
        let problem = try #require(facts([away]).problems.first)
        #expect(problem.what.hasPrefix("folder '/in' is offline: its marker is gone"))
        #expect(problem.fix.hasSuffix("albumctl folder confirm /in"))
    }

    @Test func aHeldDeletionIsAProblemWithItsCommand() throws {
        let held = HeldRow(
            token: "5f3a9c01d2e4", folder: "/in", since: Date(microseconds: 0), count: 25,
            paths: ["/in/a.jpg", "/in/b/c.jpg"])
        let problem = held.problem
        #expect(problem.kind == "needsConfirmation")
        #expect(problem.what.contains("25 files of '/in'") && problem.what.contains("'a.jpg', 'b/c.jpg' and 23 more"))
        #expect(problem.fix.hasPrefix("albumctl confirm 5f3a9c01d2e4 "))
        var facts = facts()
        facts.held = [held]
        #expect(facts.problems == [problem])
    }

    /// After a start it is not known what waited before it.
    @Test func whatHasNotBeenLookedForIsNotSaidToBeNothing() {
        var mirrored = folder(.online)
        mirrored.rule.onSourceDeleted = .trash
        let unknown = facts([mirrored])
        let words = "no new file waits; deletions have not been looked for yet."
        #expect(unknown.summary(unknown.problems) == "Everything is safe: 1 asset; " + words)
        let waiting = facts([mirrored], waiting: ["settling": 2])
        #expect(waiting.summary([]).hasSuffix("2 files wait; deletions have not been looked for yet."))
        mirrored.isLookedThrough = true
        #expect(facts([mirrored]).summary([]).hasSuffix("; nothing waits."))
        #expect(facts([folder(.online)]).summary([]).hasSuffix("; nothing waits."))
    }

    @Test func aFileWhoseRemovalWasCutOffIsNamed() {
        var folder = folder(.online)
        folder.stranded = [PathBytes("d/.albumd-gone-a.jpg.part"): "read-only", PathBytes("e"): "read-only"]
        let problem = facts([folder]).problems.first
        #expect(problem?.what.contains("/d/.albumd-gone-a.jpg.part' is a file whose removal was cut off") == true)
        #expect(problem?.what.hasSuffix("(and 1 more)") == true)
        #expect(problem?.fix.contains("albumctl folder check") == true)
    }

    /// RULES R42: loudly; and repair is advised only for what it can mend.
    @Test func whatIsLostIsAProblemOfItsOwn() throws {
        var facts = facts()
        (facts.unsound, facts.lost) = (1, 1)
        #expect(facts.problems.map(\.kind) == ["lost"])
        #expect(facts.problems.first?.what == "1 original is lost: on neither the disk nor the cloud")
        // A source may have it still.
        #expect(facts.problems.first?.fix.hasPrefix("albumctl repair") == true)
        facts.unsound = 3
        #expect(facts.problems.map(\.fix).last == "albumctl repair")
        #expect(facts.problems.last?.what == "2 originals are missing, corrupt or unreadable")
        (facts.unsound, facts.lost, facts.doubts) = (0, 0, 1)
        facts.doubtWait = .seconds(301)
        // Another question before then changes nothing.
        #expect(facts.problems.first?.what == "the cloud denied 1 copy, and is asked again in 6 minutes")
        #expect(facts.problems.first?.fix.hasPrefix("albumctl cloud verify") == true)
    }

    @Test func whatARebuildLeftWithoutAPhotoCanBeKeptAndLetGo() throws {
        var facts = facts()
        facts.library.tear = .originals
        let problem = try #require(facts.problems.first)
        #expect(problem.what.contains("rebuilt") && problem.what.contains("orphans"))
        #expect(problem.fix.contains("albumctl verify") && problem.fix.contains("albumctl save"))
        #expect(problem.fix.contains("albumctl repair --discard-orphans"))
        #expect(!facts.summary(facts.problems).contains("Everything is safe"))
        facts.library.tear = .change
        #expect(facts.problems.first?.fix.contains("orphan") == false)
    }

    @Test func aStoreThatIsAnotherLibrarysIsAProblemWithItsAct() throws {
        var facts = facts()
        facts.mirrorProblem = StatusProblem(notMirrored: .otherLibrary("x"))
        let problem = try #require(facts.problems.first)
        #expect(problem.kind == "notMirrored" && problem.what.contains("belongs to the library x"))
        #expect(problem.fix.contains("[cloud]"))
    }

    @Test func aFolderThatIsAwayStandsInPendingWithItsReasonAndTheAct() throws {
        let row = try #require(PendingRow(waiting: folder(.offline("'/in' is not there")), sources: 3))
        #expect(row.path == "/in" && row.outcome == .pending && row.reason == .folderOffline)
        #expect(row.detail == "'/in' is not there; 3 files are known there; next: albumctl folder check /in")
        let confirm = "run albumctl folder confirm '/in'"
        #expect(PendingRow(waiting: folder(.offline(confirm)), sources: 0)?.detail == confirm)
        #expect(PendingRow(waiting: folder(.online), sources: 3) == nil)
        #expect(PendingRow(waiting: folder(.unknown), sources: 3) == nil)
    }

    @Test func anotherLibrarysFolderIsBlocked() throws {
        let other = try #require(UUID(uuidString: "793964E6-1CEF-4F16-9BD5-DBB84075D7F8"))
        let row = try #require(PendingRow(waiting: folder(.otherLibrary(other)), sources: 0))
        #expect(row.outcome == .blocked && row.reason == .otherLibrary)
        #expect(row.detail?.contains("rm /in/.albumd-folder && albumctl folder confirm /in") == true)
    }

    @Test(arguments: [
        ("noSpace", "free some space"), ("libraryReadOnly", "mount it"), ("ioError", "albumctl pending"),
        ("tooManyOpenFiles", "LimitNOFILE"), ("folderReadOnly", "copy"),
    ])
    func whatWaitsForMoreThanTimeIsAProblemThoughNoImportIsPaused(reason: String, fix: String) throws {
        let facts = facts(waiting: [reason: 4, "settling": 1])
        let problem = try #require(facts.problems.first)
        #expect(facts.engine.pause == nil && facts.problems.count == 1)
        #expect(problem.what.hasPrefix("4 files wait for ") && problem.what.contains(reason))
        #expect(problem.fix.contains(fix))
        #expect(!facts.summary(facts.problems).contains("Everything is safe"))
    }

    @Test(arguments: ["settling", "writerPresent", "incomplete", "changedWhileCopied", "empty", "stopping"])
    func whatNeedsTimeAloneIsNone(reason: String) {
        #expect(facts(waiting: [reason: 4]).problems.isEmpty)
    }
}
