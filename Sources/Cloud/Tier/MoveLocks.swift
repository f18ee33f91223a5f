import PhotoModel
import Platform

/// One move of an original at a time: a second one waits, and then finds what the first has done.
///
/// So equal requests in flight are one download, and each hears how far it is.
final class MoveLocks: Sendable {
    private enum Turn {
        case ours
        case others(byteCount: Int64)
    }

    /// How many bytes each move under way has received.
    private let taken = Monitor<[ContentHash: Int64]>([:])

    /// Blocks.
    func alone<Value>(_ hash: ContentHash, _ body: () throws -> Value) rethrows -> Value {
        taken.wait { take(hash, in: &$0) ? () : nil }
        defer { free(hash) }
        return try body()
    }

    /// The same for one who can do without: nil at once where another move has it.
    func ifFree<Value>(_ hash: ContentHash, _ body: () throws -> Value) rethrows -> Value? {
        guard taken.update({ take(hash, in: &$0) }) else { return nil }
        defer { free(hash) }
        return try body()
    }

    /// The same for one who wants to hear of the other move meanwhile, and may want to wait no longer.
    ///
    /// Nil where `progress`, asked at each step of the other and once a second, says no.
    func alone<Value>(
        _ hash: ContentHash, progress: (Int64) -> Bool, _ body: () throws -> Value
    ) rethrows -> Value? {
        var told: Int64 = -1
        while true {
            let turn = taken.wait(for: .seconds(1)) { taken -> Turn? in
                if self.take(hash, in: &taken) { return .ours }
                return taken[hash].flatMap { $0 > told ? .others(byteCount: $0) : nil }
            }
            switch turn {
            case .ours:
                defer { free(hash) }
                return try body()
            case .others(let byteCount): told = byteCount
            case nil: break
            }
            guard progress(max(0, told)) else { return nil }
        }
    }

    /// Tells those who wait how far the move is that holds the original.
    func received(_ byteCount: Int64, of hash: ContentHash) { taken.update { $0[hash] = byteCount } }

    /// False where another has it.
    private func take(_ hash: ContentHash, in taken: inout [ContentHash: Int64]) -> Bool {
        guard taken[hash] == nil else { return false }
        taken[hash] = 0
        return true
    }

    private func free(_ hash: ContentHash) { _ = taken.update { $0.removeValue(forKey: hash) } }
}
