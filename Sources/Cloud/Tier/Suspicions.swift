import PhotoModel
import Synchronization

/// Originals of which the store said that it has them not, or has other bytes: once is no proof (RULES R42).
final class Suspicions: Sendable {
    enum Finding: Sendable {
        case absent
        case different
    }

    /// How long after the first sighting the second one counts.
    static let wait = Duration.seconds(600)

    private let first = Mutex<[ContentHash: (finding: Finding, since: Duration)]>([:])

    /// Remembers the first sighting of this kind, by the clock that nobody sets.
    func note(_ hash: ContentHash, _ finding: Finding, at uptime: Duration) {
        first.withLock { first in
            if first[hash]?.finding != finding { first[hash] = (finding, uptime) }
        }
    }

    func clear(_ hash: ContentHash) { first.withLock { _ = $0.removeValue(forKey: hash) } }

    /// Those whose second sighting would count now.
    func ripe(at uptime: Duration) -> [ContentHash] {
        first.withLock { first in
            first.filter { uptime - $0.value.since >= Suspicions.wait }.keys.sorted()
        }
    }

    var all: [ContentHash] { first.withLock { Array($0.keys) } }

    var count: Int { first.withLock { $0.count } }
}
