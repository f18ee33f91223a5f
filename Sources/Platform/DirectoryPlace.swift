/// Where a directory lies on its file system, whatever path leads there: through bind mounts and symlinks it is the same.
package struct DirectoryPlace: Hashable, Sendable {
    /// `major:minor`, as proc_pid_mountinfo(5) has it.
    package var device: [UInt8]
    /// From the root of the file system; empty for that root.
    package var path: [UInt8]

    package init(device: [UInt8], path: [UInt8]) {
        self.device = device
        self.path = path
    }

    /// Whether it is `other` or lies below it.
    package func isWithin(_ other: DirectoryPlace) -> Bool {
        device == other.device && (path == other.path || path.starts(with: other.path + [UInt8(ascii: "/")]))
    }

    package func overlaps(_ other: DirectoryPlace) -> Bool { isWithin(other) || other.isWithin(self) }
}
