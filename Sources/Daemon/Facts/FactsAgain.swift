import PhotoStore

/// Puts what an older reader has read on the list of what is to be read, in small changes between which others have
/// their turn.
///
/// A stop in the middle costs nothing: it begins anew, and what is on the list already stays there once.
struct FactsAgain {
    private static let batch = 2000

    let library: PhotoLibrary
    let readers: LibraryReaders
    let version: Int
    let goesOn: () -> Bool

    func run() throws {
        let version = version
        guard try !readers.readNow({ try $0.isOnTheList(forReader: version) }) else { return }
        var row: Int64 = 0
        while goesOn() {
            let (after, limit) = (row, Self.batch)
            let last = try library.onThread { library in
                try library.performChanges(origin: "facts") { change in
                    let last = try change.listStale(forReader: version, after: after, limit: limit)
                    if last == nil { try change.noteList(forReader: version) }
                    return last
                }.value
            }
            guard let last else { return }
            row = last
        }
    }
}
