/// What the watcher tells the engine.
///
/// Every case is a hint: the file system, looked at now, is the truth.
///
/// Paths are bytes below the folder's root, without a leading slash; empty is the root itself. Signals come in the
/// order of the kernel's events; what a walk finds may be told before an older event of the same path.
package enum WatchSignal: Sendable, Equatable {
    /// Every directory of the folder is watched from now on: what a scan begun after this misses will be signalled.
    /// Sent after `addFolder`, after an overflow was mended, and after a restart.
    case watching(folder: Int64, directories: Int)
    /// A file that may be new or changed (R16).
    case touched(folder: Int64, path: [UInt8], how: Touch)
    /// A directory is new. The watcher walks it by itself and tells each file in it as touched.
    case directoryAppeared(folder: Int64, path: [UInt8])
    /// The mode or the owner of a directory that is watched has changed: what is in it may be readable now (R14).
    case directoryAttributes(folder: Int64, path: [UInt8])
    /// Deleted, or moved away and not seen again within the move window (R25).
    case gone(folder: Int64, path: [UInt8], isDirectory: Bool)
    /// Moved inside what is watched. Files at the new place are told as touched, too.
    case moved(folder: Int64, from: [UInt8], toFolder: Int64, to: [UInt8], isDirectory: Bool)
    /// The kernel dropped events: a scan is owed. `watching` follows for each folder when the watches are mended (R23).
    case overflow
    /// The root cannot be opened or watched; `code` is the errno. The folder is not watched.
    case folderUnreadable(folder: Int64, code: Int32)
    /// The root is not there any more. The folder is not watched until it is added again.
    case rootGone(folder: Int64, reason: RootLoss)
    /// The kernel gives no more watches: the folder must be polled (R24). Sent once for each `addFolder`.
    case watchLimit(folder: Int64)
    /// A directory that could not be opened, watched or listed: its content is unknown, not empty (R13).
    case directoryUnreadable(folder: Int64, path: [UInt8], code: Int32)
    /// What lies there is not looked at (S9).
    case beyondLimit(folder: Int64, path: [UInt8], limit: WatchBound)
    /// The folder shares a directory with another; the shared part stays with `other` (RULES section 4).
    case folderOverlaps(folder: Int64, other: Int64)
    /// Everything that happened before the cookie was dropped has been told, walks and moves included.
    case cookieSeen(name: [UInt8])
    /// The cookie could not be written, so nothing can be said.
    case cookieFailed(name: [UInt8], code: Int32)
    /// The inotify instance was dead and is a new one: events may be lost. `watching` follows for each folder (R27).
    case watcherRestarted
    /// There is no inotify instance now: every folder must be polled. `watcherRestarted` ends this.
    case watcherLost(code: Int32)
}

/// Why a file is a candidate.
package enum Touch: Sendable, Equatable {
    case created
    case closedAfterWrite
    case movedIn
    case attributes
    /// Someone is writing: for settling only.
    case modified
}

/// What became of a folder's root.
package enum RootLoss: Sendable, Equatable {
    case deleted
    /// Renamed, or another directory stands in its place.
    case moved
    case unmounted
}

/// The bounds of what is watched (S9).
package enum WatchBound: Sendable, Equatable {
    case depth
    case pathBytes
    case entries

    /// Directories below each other.
    package static let maximumDepth = 64
    package static let maximumPathBytes = 4096
    /// Entries of one directory.
    package static let maximumEntries = 1_000_000
}
