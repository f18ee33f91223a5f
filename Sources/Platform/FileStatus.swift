/// What a file is, as statx(2) tells it.
///
/// Times are nanoseconds since the epoch.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case regular
        case directory
        case symlink
        case other
    }

    package var kind: Kind
    package var device: UInt64
    package var inode: UInt64
    package var byteCount: Int64
    package var modified: Int64
    package var changed: Int64
    /// Nil where the file system keeps no birth time.
    package var born: Int64?
    package var linkCount: UInt32
    package var owner: UInt32
    package var group: UInt32
    /// Permission bits, 0o7777.
    package var mode: UInt32
    /// Attributes that no rights pass (chattr(1)): nothing of it may change, or nothing but what is added at its end.
    package var isImmutable: Bool
    package var isAppendOnly: Bool

    package init(
        kind: Kind, device: UInt64, inode: UInt64, byteCount: Int64, modified: Int64, changed: Int64, born: Int64?,
        linkCount: UInt32, owner: UInt32, group: UInt32, mode: UInt32, isImmutable: Bool = false,
        isAppendOnly: Bool = false
    ) {
        self.kind = kind
        self.device = device
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
        self.born = born
        self.linkCount = linkCount
        self.owner = owner
        self.group = group
        self.mode = mode
        self.isImmutable = isImmutable
        self.isAppendOnly = isAppendOnly
    }

    /// Whether the bytes can have changed between two looks: size, mtime, ctime, inode (RULES R16b, R29).
    package func hasSameContentEvidence(as other: FileStatus) -> Bool {
        byteCount == other.byteCount && modified == other.modified && changed == other.changed
            && inode == other.inode && device == other.device
    }
}

package struct DirectoryEntry: Sendable, Hashable {
    package enum Kind: Sendable {
        case regular
        case directory
        case symlink
        case other
        /// The file system does not say; ask for its status.
        case unknown
    }

    package var name: [UInt8]
    package var kind: Kind

    package init(name: [UInt8], kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// Room, kind and identity of a mounted file system.
package struct FileSystemFacts: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case local
        /// NFS, SMB, 9p, FUSE: gives no events for what others do.
        case remote(String)
        /// Made up by the kernel: proc, sysfs and their like.
        case kernel(String)
    }

    package var kind: Kind
    package var freeBytes: Int64
    package var totalBytes: Int64
    package var isReadOnly: Bool
    /// What stays the same over a remount: ID_FS_UUID, or f_fsid where that is an identity; nil is unknown (R29).
    package var identity: [UInt8]?
    /// Whether one syncfs reports write-back errors and covers renames: ext4, XFS, btrfs (R5).
    package var syncsWhole: Bool

    package init(
        kind: Kind, freeBytes: Int64, totalBytes: Int64, isReadOnly: Bool, identity: [UInt8]?, syncsWhole: Bool
    ) {
        self.kind = kind
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.isReadOnly = isReadOnly
        self.identity = identity
        self.syncsWhole = syncsWhole
    }
}
