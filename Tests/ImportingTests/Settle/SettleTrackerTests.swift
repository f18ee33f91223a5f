import EngineSupport
import FoundationEssentials
import Importing
import PhotoModel
import Platform
import Testing

/// RULES R16 and R17, on the value alone.
@Suite struct SettleTrackerTests {
    private let folder = fixedUUID(1)
    private let settle = Duration.seconds(2)

    private func key(_ name: String) -> SourceKey { SourceKey(folder: folder, path: PathBytes(name)) }

    private func status(_ byteCount: Int64, changed: Int64 = 1) -> FileStatus {
        FileStatus(
            kind: .regular, device: 1, inode: 7, byteCount: byteCount, modified: 1, changed: changed, born: 1,
            linkCount: 1, owner: 0, group: 0, mode: 0o644)
    }

    private func due(_ tracker: inout SettleTracker, at now: Duration) -> [String] {
        tracker.takeDue(now: now, limit: 100).map { String(decoding: $0.key.path.bytes, as: UTF8.self) }
    }

    private func unseen(_ tracker: inout SettleTracker) -> [String] {
        tracker.takeUnseen().map { String(decoding: $0.path.bytes, as: UTF8.self) }
    }

    private func isAtRest(_ tracker: inout SettleTracker, _ status: FileStatus, at now: Duration) -> Bool {
        tracker.isAtRest(key("a"), status, now: now)
    }

    @Test func whatWaitsLongerThanItsFolderWantsSaysWhy() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .closedAfterWrite, settle: settle, now: .seconds(10))
        #expect(tracker[key("a")]?.explanation == "it is taken after 2s of rest")
        tracker.saw(key("a"), .modified, settle: settle, now: .seconds(11))
        #expect(
            tracker[key("a")]?.explanation
                == "it was written again after its writer had closed it, so it is taken after 10s of rest")
        _ = due(&tracker, at: .seconds(21))
        tracker.giveBack(key("a"), reason: .incomplete, detail: "no end", after: .seconds(30), now: .seconds(21))
        #expect(tracker[key("a")]?.explanation == "no end; it is looked at again after 30s of rest")
    }

    @Test func aFileIsDueWhenItsWindowHasPassedAndNotBefore() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .seconds(10))
        #expect(due(&tracker, at: .milliseconds(11_999)) == [])
        #expect(tracker.earliestDue == .seconds(12))
        #expect(due(&tracker, at: .seconds(12)) == ["a"])
    }

    @Test func whatWaitedForItsFolderIsDueWhenThatIsBack() {
        var tracker = SettleTracker()
        for name in ["a", "b"] { tracker.saw(key(name), .created, settle: settle, now: .seconds(10)) }
        _ = due(&tracker, at: .seconds(12))
        tracker.giveBack(key("a"), reason: .folderOffline, after: .seconds(300), now: .seconds(12))
        tracker.giveBack(key("b"), reason: .writerPresent, after: .seconds(300), now: .seconds(12))
        tracker.resume(folder: fixedUUID(2), now: .seconds(13))
        #expect(due(&tracker, at: .seconds(13)) == [])
        tracker.resume(folder: folder, now: .seconds(13))
        #expect(tracker[key("a")]?.isSettling == true)
        #expect(due(&tracker, at: .seconds(13)) == ["a"])
    }

    @Test func everySightingBeginsTheWindowAnew() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .seconds(10))
        tracker.saw(key("a"), .modified, settle: settle, now: .seconds(11))
        #expect(due(&tracker, at: .seconds(12)) == [])
        #expect(due(&tracker, at: .seconds(13)) == ["a"])
        #expect(due(&tracker, at: .seconds(14)) == [])
    }

    @Test func aRenameIntoTheFolderNeedsOnlyAShortWindow() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .movedIn, settle: settle, now: .seconds(10))
        #expect(tracker.earliestDue == .milliseconds(10_200))
        tracker.saw(key("b"), .movedIn, settle: .milliseconds(50), now: .seconds(10))
        #expect(tracker.earliestDue == .milliseconds(10_050))
    }

    @Test(arguments: [Sighting.modified, .closedAfterWrite]) func aWriterThatComesBackIsGivenTenSeconds(how: Sighting) {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .seconds(1))
        tracker.saw(key("a"), .closedAfterWrite, settle: settle, now: .seconds(1))
        tracker.saw(key("a"), how, settle: settle, now: .seconds(2))
        #expect(tracker[key("a")]?.due == .seconds(12))
        tracker.saw(key("a"), .attributes, settle: .seconds(30), now: .seconds(3))
        #expect(tracker[key("a")]?.due == .seconds(33))
    }

    @Test func writingBeforeTheFirstCloseIsNoComingBack() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .seconds(1))
        tracker.saw(key("a"), .modified, settle: settle, now: .seconds(2))
        tracker.saw(key("a"), .closedAfterWrite, settle: settle, now: .seconds(3))
        #expect(tracker[key("a")]?.due == .seconds(5))
    }

    @Test func aFileThatLooksTheSameAtBothEndsIsAtRest() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .scan, settle: settle, now: .zero, status: status(5))
        #expect(due(&tracker, at: settle) == ["a"])
        #expect(isAtRest(&tracker, status(5), at: settle))
    }

    @Test(arguments: [(6, 1), (5, 2)] as [(Int64, Int64)])
    func aFileThatChangedWithoutAnEventWaitsForAnotherWindow(byteCount: Int64, changed: Int64) {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .scan, settle: settle, now: .zero, status: status(5))
        #expect(due(&tracker, at: settle) == ["a"])
        #expect(!isAtRest(&tracker, status(byteCount, changed: changed), at: settle))
        #expect(due(&tracker, at: .seconds(3)) == [])
        #expect(due(&tracker, at: .seconds(4)) == ["a"])
        #expect(isAtRest(&tracker, status(byteCount, changed: changed), at: .seconds(4)))
    }

    @Test func aFileThatNobodyLookedAtHasNoBeginningToCompareWith() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        #expect(unseen(&tracker) == ["a"])
        #expect(unseen(&tracker) == [])
        #expect(due(&tracker, at: settle) == ["a"])
        #expect(!isAtRest(&tracker, status(5), at: settle))
        #expect(tracker[key("a")]?.due == .seconds(4))
    }

    @Test func aNewSightingMakesTheOldLookWorthless() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        _ = tracker.takeUnseen()
        tracker.looked(key("a"), status(5))
        tracker.saw(key("a"), .modified, settle: settle, now: .seconds(1))
        #expect(unseen(&tracker) == ["a"])
        #expect(tracker[key("a")]?.status == nil)
    }

    @Test func aSightingWhileItIsImportedKeepsTheCandidate() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        #expect(due(&tracker, at: settle) == ["a"])
        tracker.saw(key("a"), .modified, settle: settle, now: settle)
        tracker.finish(key("a"))
        #expect(tracker.count == 1)
        #expect(due(&tracker, at: .seconds(4)) == ["a"])
        tracker.finish(key("a"))
        #expect(tracker.count == 0)
    }

    @Test func aCandidateThatIsTakenIsNotGivenTwice() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        #expect(due(&tracker, at: .seconds(9)) == ["a"])
        #expect(due(&tracker, at: .seconds(9)) == [])
    }

    @Test func whatIsGivenBackComesAgainAfterItsPause() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        _ = due(&tracker, at: settle)
        tracker.giveBack(key("a"), reason: .writerPresent, detail: "x", after: .seconds(4), now: settle)
        #expect(tracker[key("a")]?.reason == .writerPresent)
        #expect(tracker[key("a")]?.attempts == 1)
        #expect(due(&tracker, at: .seconds(5)) == [])
        #expect(due(&tracker, at: .seconds(6)) == ["a"])
    }

    /// To look again is no news: what made it wait is true until there is another outcome.
    @Test(arguments: [Sighting.retry, .scan]) func whatWaitsForAReasonKeepsItWhileItIsLookedAtAgain(how: Sighting) {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        _ = due(&tracker, at: settle)
        tracker.giveBack(key("a"), reason: .noSpace, detail: "full", after: .seconds(60), now: settle)
        tracker.saw(key("a"), how, settle: settle, now: .seconds(10))
        let known = Source(key: key("b"), outcome: .blocked, reason: .permission, detail: "no right")
        tracker.saw(key("b"), how, settle: settle, now: .seconds(10), known: known)
        #expect(tracker[key("a")]?.reason == .noSpace && tracker[key("a")]?.detail == "full")
        #expect(tracker[key("b")]?.reason == .permission && tracker[key("b")]?.detail == "no right")
        #expect(tracker.isSettling(upTo: tracker.horizon))
        tracker.saw(key("a"), .modified, settle: settle, now: .seconds(11))
        #expect(tracker[key("a")]?.reason == .settling && tracker[key("a")]?.detail == nil)
    }

    @Test func whatIsPostponedHasNotBeenTried() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        _ = due(&tracker, at: settle)
        tracker.postpone(key("a"), reason: .noSpace, detail: nil, until: .seconds(60))
        #expect(tracker[key("a")]?.attempts == 0)
        #expect(tracker.earliestDue == .seconds(60))
    }

    @Test func aFlushWaitsForEarlierCandidatesThatSettleOrAreImported() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        let horizon = tracker.horizon
        tracker.saw(key("b"), .created, settle: settle, now: .zero)
        #expect(tracker.isSettling(upTo: horizon))
        #expect(due(&tracker, at: settle).sorted() == ["a", "b"])
        #expect(tracker.isSettling(upTo: horizon))
        tracker.giveBack(key("a"), reason: .writerPresent, after: .seconds(1), now: settle)
        #expect(!tracker.isSettling(upTo: horizon))
        #expect(tracker.isSettling(upTo: tracker.horizon))
    }

    @Test func aDirectoryThatIsGoneTakesItsCandidatesAndNoOthers() {
        var tracker = SettleTracker()
        for name in ["d/a", "d/e/b", "d", "da", "d!"] {
            tracker.saw(key(name), .created, settle: settle, now: .zero)
        }
        tracker.saw(SourceKey(folder: fixedUUID(2), path: PathBytes("d/a")), .created, settle: settle, now: .zero)
        tracker.drop(folder: key("d"))
        #expect(tracker.count == 4)
        #expect(tracker[key("d/e/b")] == nil)
        tracker.drop(folder: key(""))
        #expect(tracker.count == 1)
    }

    @Test func aDroppedCandidateIsNeverDue() {
        var tracker = SettleTracker()
        tracker.saw(key("a"), .created, settle: settle, now: .zero)
        tracker.drop(key("a"))
        #expect(due(&tracker, at: .seconds(9)) == [])
        tracker.saw(key("a"), .created, settle: settle, now: .seconds(9))
        #expect(due(&tracker, at: .seconds(10)) == [])
        #expect(due(&tracker, at: .seconds(11)) == ["a"])
    }
}
