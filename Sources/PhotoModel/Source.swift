package import FoundationEssentials

/// Names one file of one folder: the folder's identifier and the path below it.
package struct SourceKey: Hashable, Sendable, Codable {
    package var folder: UUID
    package var path: PathBytes

    package init(folder: UUID, path: PathBytes) {
        self.folder = folder
        self.path = path
    }
}

/// By folder, then by the bytes of the path: the order of a scan.
extension SourceKey: Comparable {
    package static func < (left: SourceKey, right: SourceKey) -> Bool {
        left.folder == right.folder ? left.path < right.path : left.folder.uuidString < right.folder.uuidString
    }
}

/// What was seen of a source when it was decided on: enough to know the same file again (RULES R29).
package struct SourceEvidence: Hashable, Sendable {
    /// What stays the same over a remount, nil where the file system has nothing such.
    package var fileSystem: [UInt8]?
    package var inode: UInt64
    /// The kernel's opaque handle, nil where there is none.
    package var handle: [UInt8]?
    /// Birth, modification and inode change, nanoseconds since the epoch.
    package var born: Int64?
    package var modified: Int64
    package var changed: Int64
    package var byteCount: Int64
    /// SHA-256, nil where the bytes were not read to their end.
    package var hash: ContentHash?

    package init(
        fileSystem: [UInt8]?, inode: UInt64, handle: [UInt8]?, born: Int64?, modified: Int64, changed: Int64,
        byteCount: Int64, hash: ContentHash?
    ) {
        self.fileSystem = fileSystem
        self.inode = inode
        self.handle = handle
        self.born = born
        self.modified = modified
        self.changed = changed
        self.byteCount = byteCount
        self.hash = hash
    }

    /// Whether both are one file: same inode, and nothing that tells a reused inode apart (R29).
    package func isSameFile(as other: SourceEvidence) -> Bool {
        guard inode == other.inode else { return false }
        if let fileSystem, let theirs = other.fileSystem, fileSystem != theirs { return false }
        if let handle, let theirs = other.handle, handle != theirs { return false }
        if let born, let theirs = other.born, born != theirs { return false }
        return true
    }

    /// Whether both are one file beyond doubt: an inode number alone, which may be another file's by now, is no proof.
    package func isSurelySameFile(as other: SourceEvidence) -> Bool {
        isSameFile(as: other) && (handle != nil && other.handle != nil || born != nil && other.born != nil)
    }

    /// Whether ctime alone says that the bytes can have changed: a mode, an owner or a link did, or mtime was set back.
    package func differsInChangeTimeAlone(from other: SourceEvidence) -> Bool {
        isSameFile(as: other) && byteCount == other.byteCount && modified == other.modified && changed != other.changed
    }

    /// Whether the bytes can have changed in between: size, mtime, ctime and inode say no.
    package func isUnchanged(from other: SourceEvidence) -> Bool {
        isSameFile(as: other) && byteCount == other.byteCount && modified == other.modified && changed == other.changed
    }
}

/// What the catalogue knows of one source: its outcome, and the mapping to its asset.
package struct Source: Hashable, Sendable, Codable {
    package var key: SourceKey
    /// The mapping; nil where the source is no asset's.
    package var localIdentifier: LocalIdentifier?
    package var outcome: Outcome
    package var reason: Reason
    /// What a person should read: the type found, the error, the command that mends it.
    package var detail: String?
    package var evidence: SourceEvidence?
    /// The recognition rules that said `notMedia`; judged again when they change.
    package var rulesVersion: Int?
    /// Set once albumd itself removed the file (move mode, or `on_asset_deleted = "remove"`).
    package var isRemoved: Bool
    /// Set when the file was found gone without albumd's doing; the mapping stays.
    package var departure: Departure?
    /// A person will erase the file (`albumctl safe --release`), or albumd itself: its disappearance never deletes the
    /// asset.
    package var isReleased: Bool

    package init(
        key: SourceKey, localIdentifier: LocalIdentifier? = nil, outcome: Outcome, reason: Reason,
        detail: String? = nil, evidence: SourceEvidence? = nil, rulesVersion: Int? = nil, isRemoved: Bool = false,
        departure: Departure? = nil, isReleased: Bool = false
    ) {
        self.key = key
        self.localIdentifier = localIdentifier
        self.outcome = outcome
        self.reason = reason
        self.detail = detail
        self.evidence = evidence
        self.rulesVersion = rulesVersion
        self.isRemoved = isRemoved
        self.departure = departure
        self.isReleased = isReleased
    }

    /// Whether the file may still be where it was, as far as is known.
    package var isPresent: Bool { !isRemoved && departure == nil }
}

/// How a mapping stands (A60).
package enum MappingState: String, Codable, Sendable, CaseIterable {
    /// Nothing is mapped there.
    case absent
    /// The asset is in the library.
    case live
    /// The asset is no longer there.
    case dangling
    /// The asset is in Recently Deleted.
    case trashed
}
