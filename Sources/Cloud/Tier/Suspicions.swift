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

    typealias Sighting = (finding: Finding, since: Duration)

    /// How long after the first sighting the second one counts.
    static let wait = Duration.seconds(600)

    private let memory: SuspicionMemory
    private let first: Mutex<[ContentHash: Sighting]>

    /// Those of before a restart are asked for when they would have been without it.
    init(_ memory: SuspicionMemory, at uptime: Duration) {
        self.memory = memory
        first = Mutex(memory.read(at: uptime))
    }

    /// Remembers the first sighting of this kind, by the clock that nobody sets.
    func note(_ hash: ContentHash, _ finding: Finding, at uptime: Duration) {
        first.withLock { first in
            guard first[hash]?.finding != finding else { return }
            first[hash] = (finding, uptime)
            memory.write(first)
        }
    }

    func clear(_ hash: ContentHash) {
        first.withLock { first in
            if first.removeValue(forKey: hash) != nil { memory.write(first) }
        }
    }

    /// Another store answers from now on: what the one before said counts for nothing.
    func forgetAll() {
        first.withLock { first in
            guard !first.isEmpty else { return }
            first = [:]
            memory.write(first)
        }
    }

    /// Those whose second sighting would count now.
    func ripe(at uptime: Duration) -> [ContentHash] {
        first.withLock { first in
            first.filter { uptime - $0.value.since >= Suspicions.wait }.keys.sorted()
        }
    }

    /// How long until the second sighting counts, of one or, with nil, of the first of all; nil where there is no doubt.
    func wait(of hash: ContentHash?, at uptime: Duration) -> Duration? {
        first.withLock { first in
            let since = hash.map { first[$0]?.since } ?? first.values.map(\.since).min()
            return since.map { max(.zero, $0 + Suspicions.wait - uptime) }
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
