package import FoundationEssentials
package import PhotoStore
import Platform

/// The history in the store, so that an empty directory and the store give the library back (issue of the cloud, part 6).
///
/// Beside the originals: `library/identity` with the library's identifier, `library/changes/<first>-<last>`, lines of the
/// journal by their tokens, and `library/snapshots/<token>-<sha256>`, copies of the catalogue. Segments are never written
/// again; where two overlap they agree, as the journal's do.
package struct LibraryMirror: Sendable {
    static let prefix = "library/changes/"
    /// A line of an import has 256 files: some hundred kilobytes, all in memory at once.
    private static let linesPerSegment = 16

    /// Lines of the catalogue's history after a token, so many at most; nobody waits for the store while it reads.
    package typealias History = (_ after: Int64, _ limit: Int) throws -> [HistoryLine]

    let store: any ObjectStore
    private let library: UUID

    package init(store: any ObjectStore, library: UUID) {
        (self.store, self.library) = (store, library)
    }

    /// The newest token that the store has; throws where it has another history than this one.
    package func newestToken(_ history: History) throws -> Int64 {
        try requireOurs()
        guard let newest = try MirrorSegment.all(in: store).max(by: { $0.tokens.upperBound < $1.tokens.upperBound })
        else { return 0 }
        let end = newest.tokens.upperBound
        let ours = try history(newest.tokens.lowerBound - 1, newest.count)
        guard try text(newest.key, in: store) == ours.map({ $0.json + "\n" }).joined() else {
            throw MirrorError.ahead(token: end)
        }
        return end
    }

    /// Brings what the history has beyond `token` to the store; returns the newest token there.
    package func catchUp(from token: Int64, _ history: History) throws -> Int64 {
        var newest = token
        while true {
            let lines = try history(newest, Self.linesPerSegment)
            guard let first = lines.first, let last = lines.last else { return newest }
            let text = lines.map { $0.json + "\n" }.joined()
            let key = MirrorSegment.key(first.token...last.token)
            _ = try store.put(key, ObjectBody(Array(text.utf8)))
            newest = last.token
        }
    }

    /// A store belongs to one library: two would delete each other's objects.
    private func requireOurs() throws {
        guard let key = ObjectKey("library/identity") else { return }
        do {
            let found = try text(key, in: store).split(separator: "\n").first.map(String.init) ?? ""
            guard found == library.uuidString else { throw MirrorError.otherLibrary(found) }
        } catch let error as ObjectStoreError where error.kind == .notFound {
            _ = try store.put(key, ObjectBody(Array((library.uuidString + "\n").utf8)))
        }
    }

}

/// A small object as text.
func text(_ key: ObjectKey, in store: any ObjectStore) throws(ObjectStoreError) -> String {
    var bytes: [UInt8] = []
    try store.get(key, from: 0) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
}
