/// What became of a source or of a save.
package enum Outcome: String, Codable, Sendable, CaseIterable {
    /// Its bytes are a new asset's, or the asset's it was already mapped to before it moved.
    case imported
    /// Its bytes were already an asset's; the source joined that asset.
    case duplicate
    /// Its bytes were a trashed asset's, which is live again.
    case restored
    /// The photograph was edited: the same asset has a new current version.
    case updated
    /// It will be looked at again without anyone doing anything.
    case pending
    /// By rule nothing is to be done with it.
    case skipped
    /// Somebody has to act first; `reason` says who and how.
    case blocked
    /// It was tried a few times and went wrong; it is tried again with each full scan, and when somebody asks for it.
    case failed

    /// Whether something is still to come of it: it is looked at again, by itself or when somebody has acted.
    package var isWaiting: Bool {
        switch self {
        case .pending, .blocked, .failed: true
        case .imported, .duplicate, .restored, .updated, .skipped: false
        }
    }

    /// Whether the source is an asset's now.
    package var isMapped: Bool {
        switch self {
        case .imported, .duplicate, .restored, .updated: true
        case .pending, .skipped, .blocked, .failed: false
        }
    }
}

/// Why: the closed list that every outcome takes its reason from (RULES I9).
package enum Reason: String, Codable, Sendable, CaseIterable {
    // imported, duplicate, updated
    case newContent
    case sameContent
    case moved
    case edited
    case sourceReplaced
    /// It belongs to another file, and is of that one's asset: the detail says by what.
    case paired
    // restored
    case returned
    // pending
    case settling
    case writerPresent
    case changedWhileCopied
    case incomplete
    case empty
    case noSpace
    case libraryReadOnly
    case tooManyOpenFiles
    case folderOffline
    /// Imported under `mode = "move"`, and its file cannot be removed.
    case folderReadOnly
    case stopping
    /// A sidecar, and the file that it speaks of is not there (yet).
    case companionAwaited
    // skipped; `deleted` is a mapped one's, too, whose file has to go as its asset went
    case notMedia
    case symlink
    case notRegular
    case otherFileSystem
    case tooLarge
    case tooDeep
    case pathTooLong
    case deleted
    case putBack
    case vanished
    // blocked
    case permission
    case albumMissing
    case ambiguousTitle
    case otherLibrary
    // failed
    case ioError
}

extension Reason {
    /// Whether a file that waits for it needs nothing but time: its writer, or its rest.
    ///
    /// What waits for any other reason is kept from the library by something that somebody may have to mend.
    package var isPassing: Bool {
        switch self {
        case .settling, .writerPresent, .changedWhileCopied, .incomplete, .empty, .stopping, .companionAwaited: true
        default: false
        }
    }

    /// What a person should know of a reason that needs no bytes to be seen; nil where the word says it all.
    package var explanation: String? {
        switch self {
        case .symlink: "it is a symbolic link, and none is followed"
        case .notRegular: "it is a FIFO, a socket or a device, and none is ever opened"
        case .otherFileSystem:
            "another file system is mounted there; mount it outside the folder, and add that as a folder of its own"
        case .putBack: "an undo put it back, and it stays"
        case .tooDeep: "it lies deeper than 64 directories"
        case .pathTooLong: "its path is longer than 4,096 bytes"
        default: nil
        }
    }
}
