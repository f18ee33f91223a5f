package import FoundationEssentials
package import PhotoModel

/// Sources that may be gone, until it is known: a value, stepped by the engine (RULES R35).
///
/// Deletions that were seen are acted on when a folder has been quiet for a moment: a renamed file comes to light under
/// its new name meanwhile, and what is deleted together is judged together (RULES R34). What only a scan did not find is
/// acted on when another scan, a minute later at least, does not find it either.
package struct DepartureBoard: Sendable {
    /// The time between two scans that must both miss a file.
    package static let secondSighting = Duration.seconds(60)
    /// However long deletions go on, those so far are acted on after this.
    package static let patience = Duration.seconds(60)

    private struct Group {
        var evidence: [SourceKey: Departure.Evidence] = [:]
        var first: Duration
        var due: Duration
        /// Whether it waits for something else than its moment: no flush waits with it.
        var isPostponed = false
    }

    private var groups: [UUID: Group] = [:]
    private var firstMissed: [SourceKey: Duration] = [:]

    package init() {}

    /// The folder's watcher saw it go.
    package mutating func sawGo(_ key: SourceKey, now: Duration, moment: Duration) {
        firstMissed[key] = nil
        add(key, .unlinkSeen, now: now, due: now + moment)
    }

    /// A complete scan did not find it.
    ///
    /// Returns when the folder has to be scanned again; nil where this was the second time.
    package mutating func missed(_ key: SourceKey, now: Duration) -> Duration? {
        guard groups[key.folder]?.evidence[key] == nil else { return nil }
        guard let first = firstMissed[key] else {
            firstMissed[key] = now
            return now + DepartureBoard.secondSighting
        }
        guard now - first >= DepartureBoard.secondSighting else { return first + DepartureBoard.secondSighting }
        firstMissed[key] = nil
        add(key, .missingOnScan, now: now, due: now)
        return nil
    }

    /// To be looked at again then.
    package mutating func postpone(_ key: SourceKey, _ evidence: Departure.Evidence, now: Duration, until: Duration) {
        add(key, evidence, now: now, due: until)
        groups[key.folder]?.isPostponed = true
    }

    private mutating func add(_ key: SourceKey, _ evidence: Departure.Evidence, now: Duration, due: Duration) {
        var group = groups[key.folder] ?? Group(first: now, due: due)
        // The first evidence is the better one: that a scan misses it then, too, is no news.
        if group.evidence[key] == nil { group.evidence[key] = evidence }
        group.isPostponed = false
        group.due = max(group.due, min(due, group.first + DepartureBoard.patience))
        groups[key.folder] = group
    }

    /// It is there, or nothing is to be done about it any more.
    package mutating func forget(_ key: SourceKey) {
        // Asked for each file that a scan finds.
        guard !firstMissed.isEmpty || !groups.isEmpty else { return }
        firstMissed[key] = nil
        guard groups[key.folder]?.evidence.removeValue(forKey: key) != nil else { return }
        if groups[key.folder]?.evidence.isEmpty == true { groups[key.folder] = nil }
    }

    /// What a complete scan did not miss needs no second look.
    package mutating func forgetMissed(in folder: UUID, but missed: Set<SourceKey>) {
        firstMissed = firstMissed.filter { $0.key.folder != folder || missed.contains($0.key) }
    }

    package mutating func forget(folder: UUID) {
        groups[folder] = nil
        firstMissed = firstMissed.filter { $0.key.folder != folder }
    }

    /// The folders whose time has come, with their sources, taken off.
    package mutating func takeDue(now: Duration) -> [UUID: [SourceKey: Departure.Evidence]] {
        let taken = groups.filter { $0.value.due <= now }
        for folder in taken.keys { groups[folder] = nil }
        return taken.mapValues(\.evidence)
    }

    /// When the next folder is due.
    package var earliestDue: Duration? { groups.values.map(\.due).min() }

    /// Whether some deletion will be acted on by itself soon.
    package var isSettling: Bool { groups.values.contains { !$0.isPostponed } }

    /// Whether something of the folder is still to be judged.
    package func hasAny(in folder: UUID) -> Bool { groups[folder] != nil || missedOnce(in: folder) > 0 }

    /// Those that a scan has missed once.
    package func missedOnce(in folder: UUID) -> Int { firstMissed.keys.count { $0.folder == folder } }
}
