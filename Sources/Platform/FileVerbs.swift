/// The verbs the engine has for files.
///
/// Paths are bytes: a name is not text (RULES R28).
///
/// Two machines speak it: `LinuxFiles`, and the simulated disk of the tests, which forgets unsynced bytes.
/// Every verb throws `FileError` with the errno of the man page named beside it. A `name` is one component, else EINVAL.
/// A `path` may lead below its directory, never out of it (EXDEV), and never through or to a symlink (ELOOP). A verb
/// never retries, EINTR apart, and a sync not even then: what an error means is the caller's decision.
package protocol FileVerbs: Sendable {
    /// Opens a directory by absolute path, following symlinks (open(2), O_DIRECTORY). For roots only.
    func openDirectory(_ path: [UInt8]) throws(FileError) -> OpenFile
    /// Opens a directory below `root`, crossing no symlink and no mount (openat2(2), RESOLVE_BENEATH…); empty means `root` itself.
    func openDirectory(_ path: [UInt8], beneath root: OpenFile) throws(FileError) -> OpenFile
    /// Opens a file below `root` for reading, by the rules of S2. The caller asks `status(of:)` what it is.
    func openForReading(_ path: [UInt8], beneath root: OpenFile) throws(FileError) -> OpenFile
    /// Creates `name` in `directory` for reading and writing: O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC, 0600.
    func create(_ name: [UInt8], in directory: OpenFile) throws(FileError) -> OpenFile
    /// Opens a file of our own for reading and writing, its bytes kept (open(2), O_RDWR|O_NOFOLLOW|O_CLOEXEC).
    func openForUpdating(_ name: [UInt8], in directory: OpenFile) throws(FileError) -> OpenFile
    /// Locks an open file against every other process for as long as it is open; false where another has it (flock(2)).
    func lock(_ file: OpenFile) throws(FileError) -> Bool
    /// Makes the directory `name`, 0700 (mkdirat(2)). EEXIST is an error like any other.
    func makeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError)
    /// Removes an empty directory (unlinkat(2), AT_REMOVEDIR).
    func removeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError)

    /// What the descriptor is (statx(2), with btime).
    func status(of file: OpenFile) throws(FileError) -> FileStatus
    /// What stands at `path` below `directory`, itself and not what it points to (statx(2), AT_SYMLINK_NOFOLLOW).
    func status(at path: [UInt8], in directory: OpenFile) throws(FileError) -> FileStatus
    /// The entries of a directory, without `.` and `..`, in no order. An error part-way throws: a half listing is no listing (R13).
    func list(_ directory: OpenFile) throws(FileError) -> [DirectoryEntry]

    /// Reads at `offset`; 0 is the end of the file (pread(2)).
    func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int
    /// Writes all of `buffer` at `offset` (pwrite(2)).
    func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileError)
    /// Makes `target` share the bytes of `source`; false where the file system cannot (ioctl_ficlone(2)).
    func clone(_ source: OpenFile, to target: OpenFile) throws(FileError) -> Bool
    /// Sets the permission bits (fchmod(2)).
    func setMode(_ file: OpenFile, _ mode: UInt32) throws(FileError)
    /// Sets the modification time, nanoseconds since the epoch, and no other (futimens(3)).
    func setModified(_ file: OpenFile, _ modified: Int64) throws(FileError)
    /// Starts write-back of what was written, without waiting; a hint (sync_file_range(2), WRITE).
    func startWriteBack(_ file: OpenFile, from offset: Int64, count: Int64)
    /// Makes a file or a directory durable (fsync(2)). Never call it again after an error (R10).
    func sync(_ file: OpenFile) throws(FileError)
    /// Makes the whole file system of `directory` durable (syncfs(2)).
    func syncFileSystem(_ directory: OpenFile) throws(FileError)

    /// Renames without replacing (renameat2(2), RENAME_NOREPLACE).
    func rename(_ name: [UInt8], in from: OpenFile, to newName: [UInt8], in to: OpenFile) throws(FileError)
    /// Removes a name; `path` may lead below `directory` (unlinkat(2)).
    func unlink(_ path: [UInt8], in directory: OpenFile) throws(FileError)

    /// Asks for a read lease, which no writer can pass unseen (fcntl(2), F_SETLEASE).
    func takeLease(_ file: OpenFile) throws(FileError) -> Lease
    /// Whether the lease taken still stands (fcntl(2), F_GETLEASE).
    func holdsLease(_ file: OpenFile) -> Bool
    func dropLease(_ file: OpenFile)
    /// Whether the file is open a second time, anywhere: then it cannot be leased for writing (fcntl(2), F_SETLEASE).
    ///
    /// False where that cannot be told: another owner's file, or a file system without leases.
    func isOpenElsewhere(_ file: OpenFile) throws(FileError) -> Bool

    /// The kernel's opaque handle of an inode, nil where the file system has none (name_to_handle_at(2)).
    func handle(of file: OpenFile) -> [UInt8]?
    /// Where a directory lies on its file system; nil where that cannot be told (proc_pid_mountinfo(5)).
    func place(of directory: OpenFile) -> DirectoryPlace?
    /// Room, kind and write protection of the file system (statfs(2)).
    func fileSystem(of directory: OpenFile) throws(FileError) -> FileSystemFacts

    /// Called by `OpenFile`, nowhere else (close(2)).
    func close(_ descriptor: Int32) throws(FileError)
}

/// What became of asking for a lease.
package enum Lease: Sendable, Equatable {
    /// Nobody has the file open for writing, and nobody can open it so unseen.
    case granted
    /// A writer has the file open now (EAGAIN).
    case writerPresent
    /// This file cannot be leased by us: another owner, or a file system without leases (EACCES, EINVAL).
    case unavailable
}
