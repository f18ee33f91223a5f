import FoundationEssentials
package import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// What a round of the tier came to.
package struct TierRound: Sendable {
    package var uploaded = 0
    package var evicted = 0
    package var fetched = 0
    package var deletedObjects = 0
    /// Originals that could not be moved, and why; each is tried again by the next round.
    package var failures: [(hash: ContentHash, why: String)] = []
    /// Why the round ended early: the store could not be asked.
    package var outage: String?
    /// What the store said against it, where that is not about one original's bytes here.
    package var obstacle: TierError?
    package var lost: [ContentHash] = []
    /// Objects that were to be deleted, and are kept, for a purge that does not count any more.
    package var reclaimed = 0
    /// Originals that are wanted on the disk, which has no room for them.
    package var withoutRoom = 0
    /// Whether nothing more can be stored.
    var isFull = false
    /// Originals in a row of which the store could not be asked; one that answers begins anew.
    var unanswered = 0

    package init() {}

    package var moved: Int { uploaded + evicted + fetched }

    /// After so many that were not answered the store is away.
    fileprivate static let patience = 3

    /// Where nothing was answered, however little was asked, it is away as well.
    fileprivate mutating func end() {
        guard unanswered > 0, unanswered == failures.count, moved == 0, case .store? = obstacle else { return }
        outage = obstacle.map { "\($0)" }
    }
}

/// The work that nobody asked for by hand: what was begun, what the rules want, what is in doubt, what was purged.
extension CloudTier {
    /// Goes round once; blocks for as long as that takes, or until `goesOn` says no.
    ///
    /// One original that fails stops no other, and a full store stops what is to be stored; one that cannot be reached
    /// ends the round.
    package func round(
        _ policy: CloudPolicy, goesOn: @Sendable () -> Bool = { true }
    ) throws -> TierRound {
        let round = Mutex(TierRound())
        do {
            try resume(round, goesOn)
            // A look at every original, only where something could come of it.
            let mayMove = try policy.movesOriginals || library.onThread { try $0.hasTierWishes() }
            let plan = mayMove ? try plan(policy, limit: 1000) : CloudPlan()
            try run(plan.fetches.first, round, goesOn) { content in
                try fetch(content, requestedBy: .policy) { _ in goesOn() }
                return \.fetched
            }
            try run(plan.uploads.first, round, { goesOn() && !round.withLock(\.isFull) }) { content in
                try upload(content, requestedBy: .policy)
                return \.uploaded
            }
            // What somebody wants now is for the next round.
            let now = machine.uptime()
            let evictions = plan.evictions.first.filter { !wishes.isWanted($0.hash, at: now) }
            try run(evictions, round, goesOn) { content in
                try evict(content, requestedBy: .policy)
                return \.evicted
            }
            let lost = try settleDoubts { hash, error in try note(error, of: hash, round) }
            round.withLock { $0.lost += lost }
            try deletePurged(policy, round, goesOn)
            try originals.removePartials { hash in
                try library.onThread { try $0.version(of: hash) }?.residency == .inCloud
            }
            round.withLock { $0.end() }
        } catch TierError.store(let error) {
            round.withLock { ($0.outage, $0.obstacle) = ("\(error)", .store(error)) }
        } catch TierError.notOurs(let error) {
            round.withLock { $0.obstacle = .notOurs(error) }
        } catch TierError.cancelled {
            // The daemon ends.
        }
        return round.withLock { $0 }
    }

    /// Why the store with the library's copies cannot be asked, or is not its own; nil where it can, or there are no copies.
    ///
    /// Where nothing is to be moved, nothing else would find out.
    package func absence() throws -> TierRound? {
        guard try library.onThread({ try $0.hasCopies() }) else { return nil }
        var round = TierRound()
        do {
            try requireOurs()
            return nil
        } catch TierError.store(let error) {
            (round.outage, round.obstacle) = ("\(error)", .store(error))
        } catch TierError.notOurs(let error) {
            round.obstacle = .notOurs(error)
        }
        return round
    }

    /// What the rules want now; changes nothing.
    package func plan(_ policy: CloudPolicy, limit: Int) throws -> CloudPlan {
        let now = machine.now()
        let facts = try facts(now)
        let free = try machine.files.fileSystem(of: library.directory.root).freeBytes
        return CloudPlan(
            facts, policy: policy, freeBytes: free, now: Int64(now.timeIntervalSince1970), limit: limit)
    }

    /// Of these originals those that the rules take off the disk again once all of them are here, and why.
    package func reasonsToLeave(
        after fetching: Set<ContentHash>, _ policy: CloudPolicy
    ) throws -> [ContentHash: CloudPlan.Reason] {
        let now = machine.now()
        var facts = try facts(now)
        var free = try machine.files.fileSystem(of: library.directory.root).freeBytes
        for index in facts.indices where fetching.contains(facts[index].hash) {
            if facts[index].residency == .inCloud { free -= facts[index].byteCount }
            (facts[index].residency, facts[index].transfer) = (.both, nil)
            facts[index].lastUsed = Int64(now.timeIntervalSince1970)
        }
        let plan = CloudPlan(facts, policy: policy, freeBytes: free, now: Int64(now.timeIntervalSince1970))
        let leaving = plan.evictions.first.filter { fetching.contains($0.hash) }
        return Dictionary(leaving.map { ($0.hash, $0.reason) }, uniquingKeysWith: { first, _ in first })
    }

    /// Goes on with what a crash, an outage or a command left begun.
    private func resume(_ round: borrowing Mutex<TierRound>, _ goesOn: @Sendable () -> Bool) throws {
        for work in try library.onThread({ try $0.transfers() }) where goesOn() {
            let isToBeStored = work.transfer == .uploading || work.transfer == .verifying
            guard !isToBeStored || !round.withLock(\.isFull) else { continue }
            guard let content = try library.onThread({ try $0.version(of: work.hash)?.content }) else { continue }
            try attempt(content.hash, round) {
                switch work.transfer {
                case .uploading, .verifying:
                    try upload(content, requestedBy: work.requestedBy)
                    return \.uploaded
                case .evicting:
                    try evict(content, requestedBy: work.requestedBy)
                    return \.evicted
                case .downloading, nil:
                    try fetch(content, requestedBy: work.requestedBy) { _ in goesOn() }
                    return \.fetched
                }
            }
        }
    }

    /// Two at a time: one is hashed while the other is on the line.
    private func run(
        _ moves: [CloudPlan.Move], _ round: borrowing Mutex<TierRound>, _ goesOn: @Sendable () -> Bool,
        _ body: (Content) throws -> WritableKeyPath<TierRound, Int>
    ) throws {
        for move in moves where goesOn() {
            guard let content = try library.onThread({ try $0.version(of: move.hash)?.content }) else { continue }
            try attempt(move.hash, round) { try body(content) }
        }
    }

    private func attempt(
        _ hash: ContentHash, _ round: borrowing Mutex<TierRound>,
        _ body: () throws -> WritableKeyPath<TierRound, Int>
    ) throws {
        do {
            let done = try body()
            round.withLock { round in
                round[keyPath: done] += 1
                round.unanswered = 0
            }
        } catch let error as TierError {
            try note(error, of: hash, round)
        } catch let error as FileError {
            round.withLock { $0.failures.append((hash, "\(error)")) }
        }
    }

    /// What stops every original is thrown, what stops this one is kept.
    private func note(_ error: TierError, of hash: ContentHash, _ round: borrowing Mutex<TierRound>) throws {
        switch error {
        case .store(let failure) where failure.isRetryable:
            let isAway = round.withLock { round in
                round.failures.append((hash, "\(error)"))
                round.obstacle = error
                if failure.kind == .quotaExceeded { round.isFull = true } else { round.unanswered += 1 }
                return round.unanswered >= TierRound.patience
            }
            if isAway { throw error }
        case .notOurs, .cancelled: throw error
        // Purged, or not in the cloud any more, since the round began: nothing is left to do.
        case .unknown: return
        default:
            round.withLock { round in
                round.failures.append((hash, "\(error)"))
                if error.isOfStore { round.obstacle = error }
                if case .noRoom = error { round.withoutRoom += 1 }
            }
        }
    }

    /// Objects of purged photos, where the configuration wants them gone, and it is time (RULES R37).
    private func deletePurged(
        _ policy: CloudPolicy, _ round: borrowing Mutex<TierRound>, _ goesOn: @Sendable () -> Bool
    ) throws {
        guard let retention = policy.deletesPurged, !library.onThread({ $0.isExpiryHeld }) else { return }
        let before = machine.now().addingTimeInterval(-Double(retention.components.seconds))
        for (hash, key) in try library.onThread({ try $0.objectWork(purgedBefore: before) }) where goesOn() {
            guard let key = ObjectKey(key) else { continue }
            try moves.alone(hash) {
                // Imported again meanwhile: then the object may become its copy.
                guard try library.onThread({ try $0.version(of: hash) }) == nil else { return }
                try requireOurs()
                guard try !settle(hash) else { return round.withLock { $0.reclaimed += 1 } }
                try delete(key, of: hash)
                round.withLock { $0.deletedObjects += 1 }
                try library.onThread { try $0.finishObject(hash) }
            }
        }
    }

    private func delete(_ key: ObjectKey, of hash: ContentHash) throws {
        try asking { () throws(ObjectStoreError) in try store.delete(key) }
        try machine.reach(.objectDeleted)
        try reclaim(hash)
        machine.log(.notice, "the object of a purged original was deleted", ["key": key.text])
    }
}
