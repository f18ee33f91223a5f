import PhotoStore
import Synchronization

/// The stored files that no row named at the start or at the last audit, less those that one names by now.
final class Orphans: Sendable {
    private let left: Mutex<Set<Orphan>>

    init(_ found: [Orphan]) { left = Mutex(Set(found)) }

    /// What an audit found.
    func replace(with found: [Orphan]) { left.withLock { $0 = Set(found) } }

    /// How many are left; an orphan that was adopted is never asked for again.
    func count(in catalogue: Catalogue) throws -> Int {
        let adopted = try left.withLock { $0 }.filter { try catalogue.names($0) }
        return left.withLock { left in
            left.subtract(adopted)
            return left.count
        }
    }
}
