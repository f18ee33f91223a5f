package import Platform

/// What kind of disk is simulated; a test changes it at any time by `SimulatedFiles.configure`.
package struct SimulatedSettings: Sendable {
    /// Room for file data, in bytes.
    package var capacity: Int64 = 1 << 40
    package var isReadOnly = false
    package var kind = FileSystemFacts.Kind.local
    package var identity: [UInt8]? = Array("sim:1".utf8)
    package var syncsWhole = true
    package var device: UInt64 = 0x0801
    /// False: leases are `unavailable`, as for another owner's files or on NFS.
    package var hasLeases = true
    /// False: no handles, as on overlayfs.
    package var hasHandles = true
    package var hasBirthTimes = true
    /// Whether `clone` works, as on btrfs and XFS.
    package var canClone = false
    /// Whether a new file takes the number of one that is gone, as on ext4.
    package var reusesInodes = false
    /// Whether listings say what an entry is; some file systems do not.
    package var listsKinds = true
    /// Whether what other programs do is durable at once; else it is lost by a power cut like the engine's own work.
    package var otherProgramsSync = true
    /// The owner of new files.
    package var owner: UInt32 = 1000
    /// Whether syncs only say that they did it: a disk that lies, to prove that a test would notice.
    package var forgetsSyncs = false

    package init() {}
}
