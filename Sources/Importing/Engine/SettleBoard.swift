package import PhotoModel
import Synchronization

/// The tracker, where others may look at it while the engine works.
package final class SettleBoard: Sendable {
    private let tracker = Mutex(SettleTracker())

    package init() {}

    package func update<Result: Sendable>(_ body: (inout sending SettleTracker) -> sending Result) -> Result {
        tracker.withLock(body)
    }

    /// The candidates now, in the order of their arrival.
    package func candidates() -> [Candidate] {
        tracker.withLock { Array($0.all) }.sorted { $0.order < $1.order }
    }

    /// How many candidates wait, by reason.
    package func reasonCounts() -> [Reason: Int] {
        tracker.withLock { Dictionary($0.all.map { ($0.reason, 1) }, uniquingKeysWith: +) }
    }

    package subscript(key: SourceKey) -> Candidate? { tracker.withLock { $0[key] } }
}
