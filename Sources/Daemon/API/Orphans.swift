import PhotoModel
import PhotoStore
import Platform
import Synchronization

/// The stored files that no row named at the start or at the last audit, less those that one names by now.
final class Orphans: Sendable {
    /// What a person may do with one: it may be a photo that nothing else has.
    static let fix =
        "To keep one, copy it out of the library and albumctl save the copy; to let all of them go, albumctl repair --discard-orphans"

    /// Of one that is a photo's by the history.
    static let namedDetail = "the history names it as a photo's, and the catalogue has lost its row: it is kept"

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

extension LibraryService {
    /// What is to be done where the catalogue is not what its history makes.
    var rebuildFix: String { "make the catalogue anew: \(rebuilding)" }

    /// The hashes of those that the history, or the journal, names in a version that was not purged since.
    func named(among orphans: [Orphan]) async throws -> Set<ContentHash> {
        guard !orphans.isEmpty else { return [] }
        let (readers, reader) = (readers, journalReader)
        return try await verification.pool.run {
            var named = try readers.readNow { try NamedContents(Set(orphans.map(\.hash)), in: $0) }
            var isMore = true
            while isMore { (named, isMore) = try readers.readNow { [named] in try named.advanced(in: $0) } }
            try named.read(reader)
            return try readers.readNow { [named] in try named.found(in: $0) }
        }
    }

    /// Takes over what an audit found; where nothing is left, no tear of the journal is to be told any more.
    func note(_ orphans: [Orphan]) async throws {
        knownOrphans.replace(with: orphans)
        guard orphans.isEmpty else { return }
        try await pool.run { [library] in try library.forgetRebuild() }
    }
}
