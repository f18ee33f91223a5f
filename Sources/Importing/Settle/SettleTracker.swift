package import FoundationEssentials
package import PhotoModel
package import Platform

/// Says when a candidate is at rest (RULES R16, R17).
///
/// Pure: sightings, looks and time come in, due candidates go out.
///
/// A candidate is at rest when nothing was heard of it for its window and it looks the same at both ends of it.
package struct SettleTracker: Sendable {
    private var candidates: [SourceKey: Candidate] = [:]
    private var queue = DeadlineQueue<(key: SourceKey, order: Int)>()
    private var unseen: [SourceKey] = []
    private var nextOrder = 0

    package init() {}

    /// A file that was opened again after its writer had closed it is given this long.
    package static let reopenedWindow = Duration.seconds(10)
    /// A rename is the sender's commit (RULES R17).
    package static let renamedWindow = Duration.milliseconds(200)
    /// Where nothing else can say that a file is whole (RULES R16d).
    package static let longWindow = Duration.seconds(30)

    package var count: Int { candidates.count }
    package var all: some Collection<Candidate> { candidates.values }
    package subscript(key: SourceKey) -> Candidate? { candidates[key] }

    /// The order that the next new candidate gets: what a flush begun now does not wait for.
    package var horizon: Int { nextOrder }

    /// Uptime at which `takeDue` has something to give.
    package var earliestDue: Duration? { queue.earliest }

    /// A sighting: the window begins anew.
    ///
    /// `status` is what the file looks like now, if that is known already, and `known` what the catalogue has of it:
    /// looking again at what waits for a reason says nothing against that reason.
    package mutating func saw(
        _ key: SourceKey, _ sighting: Sighting, settle: Duration, now: Duration, status: FileStatus? = nil,
        known: Source? = nil
    ) {
        var candidate = candidates[key] ?? makeCandidate(key, sighting, now: now)
        if candidates[key] == nil, let known, known.outcome.isWaiting {
            (candidate.reason, candidate.detail) = (known.reason, known.detail)
        }
        if candidates[key] != nil { candidate.sightings += 1 }
        if candidate.wasClosed, sighting == .modified || sighting == .closedAfterWrite { candidate.wasReopened = true }
        if sighting == .closedAfterWrite { candidate.wasClosed = true }
        candidate.window = window(sighting, settle: settle, wasReopened: candidate.wasReopened)
        (candidate.sighting, candidate.seen, candidate.since) = (sighting, now, now)
        (candidate.isSettling, candidate.isTaken) = (true, false)
        if sighting != .scan, sighting != .retry { (candidate.reason, candidate.detail) = (.settling, nil) }
        if status == nil, candidate.status != nil || candidates[key] == nil { unseen.append(key) }
        candidate.status = status
        schedule(candidate, at: now + candidate.window)
    }

    /// Another name of a candidate's file, whose status has changed with it: waited for as the candidate is.
    package mutating func saw(_ key: SourceKey, besides other: SourceKey, settle: Duration, now: Duration) {
        guard let order = candidates[other]?.order else { return }
        saw(key, .attributes, following: order, settle: settle, now: now)
    }

    /// One that is looked at for what became of another of that order: who waits for that waits for this, too.
    package mutating func saw(
        _ key: SourceKey, _ sighting: Sighting, following order: Int, settle: Duration, now: Duration
    ) {
        guard candidates[key] == nil else { return }
        saw(key, sighting, settle: settle, now: now)
        candidates[key]?.order = order
        if let candidate = candidates[key] { schedule(candidate, at: candidate.due) }
    }

    private mutating func makeCandidate(_ key: SourceKey, _ sighting: Sighting, now: Duration) -> Candidate {
        nextOrder += 1
        return Candidate(
            key: key, order: nextOrder, firstSeen: now, seen: now, sighting: sighting, since: now, window: .zero,
            due: now)
    }

    private func window(_ sighting: Sighting, settle: Duration, wasReopened: Bool) -> Duration {
        if wasReopened { return max(settle, SettleTracker.reopenedWindow) }
        return sighting == .movedIn ? min(settle, SettleTracker.renamedWindow) : settle
    }

    private mutating func schedule(_ candidate: Candidate, at due: Duration) {
        var candidate = candidate
        candidate.due = due
        candidates[candidate.key] = candidate
        queue.add((candidate.key, candidate.order), due: due)
    }

    /// The candidates to be looked at now, so that their window has a beginning to compare its end with.
    package mutating func takeUnseen() -> [SourceKey] {
        defer { unseen = [] }
        return unseen.filter { candidates[$0].map { $0.status == nil } ?? false }
    }

    /// What an unseen candidate looks like at the beginning of its window.
    package mutating func looked(_ key: SourceKey, _ status: FileStatus) {
        candidates[key]?.status = status
    }

    /// The candidates whose window has passed, longest due first.
    ///
    /// The driver looks at each and says `isAtRest`.
    package mutating func takeDue(now: Duration, limit: Int) -> [Candidate] {
        var due: [Candidate] = []
        while due.count < limit, let next = queue.removeEarliest(by: now) {
            // An entry that a later sighting has overtaken is stale.
            guard let candidate = candidates[next.element.key], candidate.order == next.element.order,
                candidate.due == next.due, !candidate.isTaken
            else { continue }
            due.append(candidate)
            candidates[next.element.key]?.isTaken = true
        }
        return due
    }

    /// Whether a due candidate still looks as at the beginning of its window; if not, the window begins anew.
    package mutating func isAtRest(_ key: SourceKey, _ status: FileStatus, now: Duration) -> Bool {
        guard var candidate = candidates[key] else { return false }
        if let before = candidate.status, before.hasSameContentEvidence(as: status) { return true }
        candidate.status = status
        candidate.isTaken = false
        candidate.since = now
        schedule(candidate, at: now + candidate.window)
        return false
    }

    /// Gives a taken candidate back: it is looked at again after a pause.
    package mutating func giveBack(
        _ key: SourceKey, reason: Reason, detail: String? = nil, after pause: Duration, now: Duration
    ) {
        guard let candidate = candidates[key], candidate.isTaken else { return }
        wait(key, reason: reason, detail: detail, after: pause, now: now)
    }

    /// Lets something wait that has its outcome, and that something is still to be done about.
    package mutating func wait(
        _ key: SourceKey, reason: Reason, detail: String?, after pause: Duration, now: Duration,
        status: FileStatus? = nil
    ) {
        var candidate = candidates[key] ?? makeCandidate(key, .retry, now: now)
        candidate.status = candidate.status ?? status
        (candidate.isTaken, candidate.isSettling) = (false, reason == .settling)
        candidate.attempts += 1
        (candidate.reason, candidate.detail) = (reason, detail)
        schedule(candidate, at: now + pause)
    }

    /// Lets a taken candidate wait, without counting an attempt.
    package mutating func postpone(_ key: SourceKey, reason: Reason, detail: String?, until due: Duration) {
        guard var candidate = candidates[key], candidate.isTaken else { return }
        (candidate.isTaken, candidate.isSettling) = (false, false)
        (candidate.reason, candidate.detail) = (reason, detail)
        schedule(candidate, at: due)
    }

    /// What waited for a folder to be there again need not wait any longer; it begins its window anew.
    package mutating func resume(folder: UUID, now: Duration) {
        for (key, candidate) in candidates
        where key.folder == folder && candidate.reason == .folderOffline && !candidate.isTaken {
            var candidate = candidate
            (candidate.isSettling, candidate.reason, candidate.detail) = (true, .settling, nil)
            candidate.since = now
            schedule(candidate, at: now)
        }
    }

    /// The candidate has its outcome.
    ///
    /// Not if it was sighted again while it was taken: then it stays.
    package mutating func finish(_ key: SourceKey) {
        guard let candidate = candidates[key], candidate.isTaken else { return }
        candidates[key] = nil
    }

    /// There is nothing at that path any more.
    package mutating func drop(_ key: SourceKey) { candidates[key] = nil }

    /// Whether a candidate up to this order is settling or being imported.
    package func isSettling(upTo horizon: Int) -> Bool {
        candidates.values.contains { $0.order <= horizon && ($0.isSettling || $0.isTaken) }
    }

    /// Drops every candidate of a folder, or of one of its directories.
    package mutating func drop(folder: SourceKey) {
        let prefix = folder.path.bytes + (folder.path.bytes.isEmpty ? [] : [UInt8(ascii: "/")])
        candidates = candidates.filter { $0.key.folder != folder.folder || !$0.key.path.bytes.starts(with: prefix) }
    }
}
