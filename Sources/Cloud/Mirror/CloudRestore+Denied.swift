import PhotoModel
import PhotoStore
import Platform

/// Originals that the history says are in the store, held against what the store lists.
extension CloudRestore {
    /// Those that it does not list, or in another size, and denies when it is asked for them: in doubt from now on, as after
    /// any other first denial (RULES R42).
    func suspicions(
        of library: PhotoLibrary, all: Int, _ progress: RestoreProgress
    ) throws -> Suspicions {
        let suspicions = Suspicions(
            SuspicionMemory(library.directory, files: machine.files), at: machine.uptime())
        var (listing, last, done) = (OriginalListing(store), ContentHash?.none, 0)
        while true {
            let page = try library.onThread { [last] in try $0.restoredContents(after: last, limit: 1000) }
            guard let end = page.last else { break }
            last = end.content.hash
            for content in page.lazy.filter({ $0.residency == .inCloud }).map(\.content) {
                done += 1
                progress(.listing, Int64(done), Int64(max(done, all)))
                guard try listing.size(of: content.hash) != content.byteCount else { continue }
                switch try verify(content, in: store, machine: machine) {
                case .proven: continue
                case .absent: suspicions.note(content.hash, .absent, at: machine.uptime())
                case .different: suspicions.note(content.hash, .different, at: machine.uptime())
                }
            }
        }
        return suspicions
    }
}

/// What the store lists of originals, a page at a time: in the order of their hashes, as these are asked for.
private struct OriginalListing {
    private let store: any ObjectStore
    private var page: ArraySlice<ObjectFacts> = []
    private var last: ObjectKey?
    private var isAtEnd = false

    init(_ store: any ObjectStore) { self.store = store }

    /// Nil where it is not listed.
    ///
    /// Each hash must come after the one before.
    mutating func size(of hash: ContentHash) throws(ObjectStoreError) -> Int64? {
        let key = ObjectKey.original(hash)
        while true {
            page = page.drop { $0.key < key }
            if let first = page.first { return first.key == key ? first.byteCount : nil }
            guard !isAtEnd else { return nil }
            let next = try store.list("", after: last, limit: 1000)
            (page, isAtEnd, last) = (next[...], next.isEmpty, next.last?.key ?? last)
        }
    }
}
