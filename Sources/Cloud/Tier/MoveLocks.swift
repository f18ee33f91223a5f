import PhotoModel
import Platform

/// One move of an original at a time: a second one waits, and then finds what the first has done.
///
/// So equal requests in flight are one download.
final class MoveLocks: Sendable {
    private let taken = Monitor<Set<ContentHash>>([])

    /// Blocks.
    func alone<Value>(_ hash: ContentHash, _ body: () throws -> Value) rethrows -> Value {
        taken.wait { $0.insert(hash).inserted ? () : nil }
        defer { _ = taken.update { $0.remove(hash) } }
        return try body()
    }
}
