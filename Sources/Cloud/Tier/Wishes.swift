import PhotoModel
import Synchronization

/// Originals that somebody waits for, or was just brought: nothing takes them off the disk before he has them (N14).
///
/// Two who wait for one original wait for one download; the second would else find it evicted again, and download it once
/// more. A program that had it brought, and asks for its bytes afterwards, has a minute for that.
final class Wishes: Sendable {
    private struct State: Sendable {
        var waiting: [ContentHash: Int] = [:]
        /// Until when no rule moves them, by the clock that nobody sets.
        var brought: [ContentHash: Duration] = [:]
    }

    private static let grace = Duration.seconds(60)

    private let state = Mutex(State())

    /// Counts: each has an end of its own.
    func begin(_ hash: ContentHash) { state.withLock { $0.waiting[hash, default: 0] += 1 } }

    func end(_ hash: ContentHash) {
        state.withLock { state in
            let left = (state.waiting[hash] ?? 0) - 1
            state.waiting[hash] = left > 0 ? left : nil
        }
    }

    /// A person has it on the disk now.
    func noteBrought(_ hash: ContentHash, at uptime: Duration) {
        state.withLock { state in
            state.brought = state.brought.filter { $0.value > uptime }
            state.brought[hash] = uptime + Self.grace
        }
    }

    func isWaitedFor(_ hash: ContentHash) -> Bool { state.withLock { $0.waiting[hash] != nil } }

    /// Whether it is waited for, or was brought a moment ago.
    func isWanted(_ hash: ContentHash, at uptime: Duration) -> Bool {
        state.withLock { $0.waiting[hash] != nil || $0.brought[hash].map { $0 > uptime } ?? false }
    }
}
