/// A cookie that was seen but is not told yet: what came before it is still being worked on.
struct CookieBarrier {
    var name: [UInt8]
    var walks: UInt64
    var departures: UInt64
    /// Whether an overflow is still to be mended.
    var awaitsRewatch: Bool
}

extension WatchDecoder {
    /// The watcher's own proofs of life begin so; all other names are somebody's barrier.
    static let proofPrefix = Array("alive-".utf8)

    mutating func sawInCookieDirectory(_ event: KernelEvent) {
        guard event.mask == .create else { return }
        guard !event.name.starts(with: Self.proofPrefix) else {
            proof = event.name
            return
        }
        barriers.append(
            CookieBarrier(
                name: event.name, walks: walks.mark, departures: departures.mark, awaitsRewatch: rewatch.due != nil))
    }

    /// The walks that mend an overflow are queued now.
    mutating func holdBarriersForRewatch() {
        for index in barriers.indices where barriers[index].awaitsRewatch {
            barriers[index].awaitsRewatch = false
            barriers[index].walks = walks.mark
        }
    }

    /// Tells the cookies whose walks are done and whose renames are settled, in the order of their dropping.
    mutating func releaseBarriers() {
        while let first = barriers.first, isReached(first) {
            barriers.removeFirst()
            tell(.cookieSeen(name: first.name))
        }
    }

    private func isReached(_ barrier: CookieBarrier) -> Bool {
        !barrier.awaitsRewatch && walks.isDone(barrier.walks) && departures.isSettled(barrier.departures)
    }
}
