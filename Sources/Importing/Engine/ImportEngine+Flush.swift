import PhotoModel
import PhotoStore
import Platform

/// The barrier while it waits (DESIGN section 4).
struct Flush {
    let name: [UInt8]
    var isCookieSeen: Bool
    /// Set when every scan that was owed is done: candidates up to here are waited for.
    var horizon: Int?
    /// Folders that were not online then: nothing was promised of them, even if they are by now.
    var offline: Set<PathBytes> = []
    let deadline: Duration
    let answer: @Sendable (FlushReport?) -> Void
}

/// A flush first sees its cookie come round, then every scan end, then every earlier candidate come to its outcome.
extension ImportEngine {
    func beginFlush(
        _ name: [UInt8], deadline: Duration, _ answer: @escaping @Sendable (FlushReport?) -> Void
    ) throws {
        for folder in folders.values.sorted(by: { $0.path < $1.path }) {
            // Also those that are online: what was mounted over one since gave no sign.
            try look(at: folder.path)
            if case .polling = folder.watching { scanFromNow(folder.path) }
        }
        let isWatched = folders.values.contains { $0.watching == .inotify || $0.watching == .starting }
        if isWatched { watch.dropCookie(name) }
        flushes.append(Flush(name: name, isCookieSeen: !isWatched, deadline: deadline, answer: answer))
    }

    /// The engine met its end: whoever waits is told that nothing more comes.
    func abandon() {
        for flush in flushes { flush.answer(nil) }
        for waiter in scanWaiters { waiter.answer([]) }
        (flushes, scanWaiters) = ([], [])
    }

    func cookieCame(_ name: [UInt8]) {
        for index in flushes.indices where flushes[index].name == name {
            flushes[index].isCookieSeen = true
        }
    }

    func answerFlushes() {
        guard !flushes.isEmpty else { return }
        let isScanAwaited =
            folders.values.contains(where: isScanAwaited) || asides.isSettling(now: machine.uptime())
        var waiting: [Flush] = []
        for var flush in flushes {
            if flush.isCookieSeen, areFoldersKnown, !isScanAwaited, flush.horizon == nil {
                flush.horizon = board.update { $0.horizon }
                flush.offline = offlineFolders
            }
            if let horizon = flush.horizon, !departures.isSettling,
                !board.update({ $0.isSettling(upTo: horizon) })
            {
                flush.answer(report(flush))
            } else if flush.deadline <= machine.uptime() {
                flush.answer(nil)
            } else {
                waiting.append(flush)
            }
        }
        flushes = waiting
    }

    private var offlineFolders: Set<PathBytes> { Set(folders.values.filter { $0.standing != .online }.map(\.path)) }

    private func report(_ flush: Flush) -> FlushReport {
        let candidates = board.candidates()
        let keys = Set(candidates.map(\.key))
        let watched = Set(folders.values.compactMap { $0.registration?.folder })
        // What was blocked or failed is no candidate until something happens to it.
        let rows = waitingRows().filter { watched.contains($0.key.folder) && !keys.contains($0.key) }
        let waiting = (candidates.map(\.reason) + rows.map(\.reason) + asides.reasons).map { ($0, 1) }
        return FlushReport(
            waiting: Dictionary(waiting, uniquingKeysWith: +), offline: flush.offline.union(offlineFolders).sorted())
    }

    /// The sources that wait by the catalogue; one that cannot be read gives none.
    private func waitingRows() -> [Source] {
        var rows: [Source] = []
        var cursor: Int64 = 0
        while let page = try? reader.waitingSources(after: cursor, limit: 500) {
            rows += page.rows.map(\.source)
            guard let next = page.next else { break }
            cursor = next
        }
        return rows
    }

    /// Looks again now at one source or at all that wait, by the catalogue and by the tracker.
    func retry(_ key: SourceKey?) throws -> Int {
        let now = machine.uptime()
        pause.end()
        let keys = board.candidates().filter { !$0.isSettling }.map(\.key) + waitingRows().map(\.key)
        let wanted = key.map { [$0] } ?? Array(Set(keys))
        for key in wanted {
            guard let folder = folders.values.first(where: { $0.registration?.folder == key.folder }) else { continue }
            let known = try reader.source(key)
            board.update { $0.saw(key, .retry, settle: folder.rule.settle, now: now, known: known) }
        }
        return wanted.count
    }
}
