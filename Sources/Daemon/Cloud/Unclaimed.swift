import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// The originals in the store that nothing here named when it was looked through, less those that a photo has by now.
final class Unclaimed: Sendable {
    private let left = Mutex<Set<ContentHash>?>(nil)

    /// Whether the store was looked through since the start.
    var isKnown: Bool { left.withLock { $0 != nil } }

    func forget() { left.withLock { $0 = nil } }

    func replace(with found: Set<ContentHash>) { left.withLock { $0 = found } }

    /// How many are left; one that was taken is never asked for again.
    func count(in catalogue: Catalogue) throws -> Int {
        let taken = try (left.withLock { $0 } ?? []).filter { try !catalogue.isUnclaimed($0) }
        return left.withLock { left in
            left?.subtract(taken)
            return left?.count ?? 0
        }
    }
}

extension CloudService {
    /// Where changes are lost, what they named may lie in the store: once each start, for whoever has lost the newest
    /// does not know it.
    func lookForUnclaimed() {
        do {
            guard !unclaimed.isKnown else { return }
            try impatient.settleReclaimed()
            try countUnclaimed(through: impatient)
        } catch {
            machine.log(.notice, "the cloud cannot be looked through for lost originals yet: \(error)")
        }
    }

    func countUnclaimed(through tier: CloudTier) throws {
        var found: Set<ContentHash> = []
        try tier.unclaimed(isUnclaimed) { original in
            found.insert(original.hash)
            return goesOn()
        }
        if goesOn() { unclaimed.replace(with: found) }
    }

    func isUnclaimed(_ hashes: [ContentHash]) throws -> Set<ContentHash> {
        try readers.readNow { catalogue in Set(try hashes.filter { try catalogue.isUnclaimed($0) }) }
    }
}

extension StatusProblem {
    /// Nil where there is none.
    init?(unclaimed count: Int) {
        guard count > 0 else { return nil }
        self.init(
            what:
                "\(counted(count, "original", one: "lies", many: "lie")) in the cloud, and no photo here has \(count == 1 ? "it" : "them"): what named \(count == 1 ? "it" : "them") is lost",
            fix: "albumctl cloud recover --dry-run, then albumctl cloud recover", kind: "unclaimed")
    }
}
