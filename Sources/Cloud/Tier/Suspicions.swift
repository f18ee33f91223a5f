import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// Originals of which the store said that it has them not, or has other bytes: once is no proof (RULES R42).
final class Suspicions: Sendable {
    enum Finding: String, Sendable {
        case absent
        case different
    }

    /// How long after the first sighting the second one counts.
    static let wait = Duration.seconds(600)

    private let memory: SuspicionMemory
    private let first: Mutex<[ContentHash: (finding: Finding, since: Duration)]>

    /// Those of before a restart are asked for in ten minutes.
    init(_ memory: SuspicionMemory, at uptime: Duration) {
        self.memory = memory
        first = Mutex(memory.read().mapValues { ($0, uptime) })
    }

    /// Remembers the first sighting of this kind, by the clock that nobody sets.
    func note(_ hash: ContentHash, _ finding: Finding, at uptime: Duration) {
        first.withLock { first in
            guard first[hash]?.finding != finding else { return }
            first[hash] = (finding, uptime)
            memory.write(first.mapValues(\.finding))
        }
    }

    func clear(_ hash: ContentHash) {
        first.withLock { first in
            if first.removeValue(forKey: hash) != nil { memory.write(first.mapValues(\.finding)) }
        }
    }

    /// Those whose second sighting would count now.
    func ripe(at uptime: Duration) -> [ContentHash] {
        first.withLock { first in
            first.filter { uptime - $0.value.since >= Suspicions.wait }.keys.sorted()
        }
    }

    /// Whether the same was said of it long enough ago.
    func isRipe(_ hash: ContentHash, _ finding: Finding, at uptime: Duration) -> Bool {
        first.withLock { first in
            first[hash].map { $0.finding == finding && uptime - $0.since >= Suspicions.wait } ?? false
        }
    }

    var all: [ContentHash] { first.withLock { Array($0.keys) } }

    var count: Int { first.withLock { $0.count } }
}
