import CSQLite
import Glibc
import Platform
import Synchronization

/// A disk in memory for SQLite that forgets what was not synced, registered under a name to open connections with.
///
/// It has shared memory, locks and a write-ahead log like the real one, for the connections of this process
/// (https://sqlite.org/vfs.html). Its clock stands still, and its only chance is the seed of a power cut.
package final class SimulatedVFS: Sendable {
    package let name: String
    let state = Mutex(SimulatedDisk())
    // Written by init and remove() only; in between SQLite alone reads it.
    nonisolated(unsafe) private let registration: UnsafeMutablePointer<sqlite3_vfs>
    // Written by init only.
    nonisolated(unsafe) let methods: UnsafeMutablePointer<sqlite3_io_methods>

    private static let count = Atomic(0)

    /// Registers an empty disk, until `remove()`; `name` gets a number, since cases of one test run at the same time.
    package init(name: String) {
        let name = "\(name)-\(SimulatedVFS.count.add(1, ordering: .relaxed).newValue)"
        self.name = name
        methods = .allocate(capacity: 1)
        methods.initialize(to: simulatedFileMethods())
        registration = .allocate(capacity: 1)
        registration.initialize(to: simulatedVFSMethods())
        registration.pointee.zName = UnsafePointer(strdup(name))
        // SQLite's connections point at this disk without owning it, so it owns itself until remove().
        registration.pointee.pAppData = Unmanaged.passRetained(self).toOpaque()
        precondition(sqlite3_vfs_register(registration, 0) == SQLITE_OK, "SQLite takes every VFS")
    }

    /// Unregisters the disk and forgets its files, once every connection is closed.
    package func remove() {
        sqlite3_vfs_unregister(registration)
        free(UnsafeMutableRawPointer(mutating: registration.pointee.zName))
        registration.deallocate()
        methods.deallocate()
        state.withLock { $0.freeSharedMemory() }
        Unmanaged.passUnretained(self).release()
    }

    /// Lets the next `operations` changes of the disk happen (write, truncate, sync, create, delete), then fails
    /// everything with SQLITE_IOERR, as a machine whose power is going; nil never stops.
    package func stop(after operations: Int?) { state.withLock { $0.operationsLeft = operations } }

    /// Whether the disk has stopped by `stop(after:)`.
    package var hasStopped: Bool { state.withLock { $0.operationsLeft == 0 } }

    /// Answers SQLITE_FULL to what would make the files larger than this in all; nil takes everything.
    package func limit(bytes: Int?) { state.withLock { $0.capacity = bytes } }

    /// Cuts the power and restores it: open files are dead, and of what was not synced nothing is left.
    ///
    /// With a seed, a chance part of the unsynced blocks, sizes and names is left instead, as disks do it.
    package func cutPower(seed: UInt64? = nil) {
        state.withLock { disk in
            var random = seed.map { SeededRandom(seed: $0) }
            disk.cutPower(&random)
        }
    }

    /// Renames a file and what lies beside it, durably: for a program that moves databases that nobody has open.
    package func rename(_ name: String, to newName: String) {
        state.withLock { disk in
            for suffix in ["", "-journal", "-wal"] { disk.rename(name + suffix, to: newName + suffix) }
        }
    }

    /// The same for removing them.
    package func unlink(_ name: String) { rename(name, to: name + ".unlinked") }

    /// Follows what the engine renames and unlinks through the file verbs in `library` and its snapshots.
    package func follow(_ files: SimulatedFiles, library: String) {
        files.onRename { [weak self] name, newName in
            let text = String(decoding: name, as: UTF8.self)
            guard text.hasPrefix("catalogue"), !text.hasSuffix("-wal"), !text.hasSuffix("-shm") else { return }
            let directory = text.hasPrefix("catalogue-") ? "\(library)/snapshots/" : "\(library)/"
            guard let newName else { return self?.unlink(directory + text) ?? () }
            self?.rename(directory + text, to: directory + String(decoding: newName, as: UTF8.self))
        }
    }

    /// How often a file was synced since the disk was made.
    package var syncCount: Int { state.withLock { $0.syncCount } }

    /// The bytes a program would read now; nil where no file has that name.
    package func contents(of path: String) -> [UInt8]? {
        state.withLock { disk in disk.names[path].flatMap { disk.files[$0]?.bytes } }
    }
}
