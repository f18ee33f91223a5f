/// What the configuration wants of the tier; with nothing set nothing moves by itself.
package struct CloudPolicy: Hashable, Sendable {
    /// Whether every original gets a copy in the cloud, or only those that are to leave the disk.
    package var uploadsAll = false
    /// At most so many bytes of originals stay on the disk; nil is no limit.
    package var keepLocal: Int64?
    /// So many bytes of the library's disk stay free; nil is no care.
    package var freeDiskFloor: Int64?
    /// Originals that came, and were last asked for, longer ago than this leave the disk; nil is never.
    package var olderThan: Duration?
    /// Whether objects of purged photos are deleted from the store, and how long after the purge.
    package var deletesPurged: Duration?

    package init() {}

    /// Whether it can move any original at all.
    package var movesOriginals: Bool { uploadsAll || keepLocal != nil || freeDiskFloor != nil || olderThan != nil }
}
