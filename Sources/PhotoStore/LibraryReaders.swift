import Platform
import Synchronization

/// Reading connections for everybody but the library itself, each used by one reader at a time.
///
/// Every read is its own short transaction; a list is read page by page, so that no reader keeps the log from being
/// written back (RULES R48).
package final class LibraryReaders: Sendable {
    private let readers: [Reader]
    private let pool: BlockingPool
    private let turn = Atomic(0)

    /// Opens `count` connections, and as many threads to read on.
    package init(of library: PhotoLibrary, count: Int) throws {
        let path = library.directory.cataloguePath
        var readers: [Reader] = []
        for _ in 0..<count {
            readers.append(try Reader(path: path))
        }
        self.readers = readers
        pool = BlockingPool(name: "albumd-read", threadCount: count)
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Catalogue) throws -> Value) async throws -> Value {
        if BlockingExecutor.isCurrent { return try readNow(body) }
        return try await pool.run { try self.readNow(body) }
    }

    /// The same on the calling thread, which may block.
    package func readNow<Value: Sendable>(_ body: @Sendable (Catalogue) throws -> Value) throws -> Value {
        let index = turn.wrappingAdd(1, ordering: .relaxed).newValue % readers.count
        return try readers[index].catalogue.withLock { try body($0) }
    }

    /// Ends the threads and closes the connections.
    package func close() {
        pool.shutdown()
        for reader in readers {
            reader.catalogue.withLock { $0.close() }
        }
    }
}

/// One connection under its lock.
private final class Reader: Sendable {
    let catalogue: Mutex<Catalogue>

    init(path: String) throws {
        let opened = try Catalogue.openForReading(at: path)
        // SQLite opens the log with the first read, and touches its owner: a running library changes without a change.
        _ = try opened.lastToken()
        catalogue = Mutex(opened)
    }
}
