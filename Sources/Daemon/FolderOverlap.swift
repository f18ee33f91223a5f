import Glibc
import PhotoModel
import Platform

/// The path with every symlink resolved (realpath(3)); as it is where it is not there now.
func resolvedPath(_ path: [UInt8]) -> [UInt8] {
    path.withCPath { start in
        guard let resolved = realpath(start, nil) else { return path }
        defer { free(resolved) }
        return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved))).map { UInt8(bitPattern: $0) }
    }
}

/// Which folders lie within one another, or share a directory with the library, in a sentence each.
///
/// Compared by path and by device and inode of every directory on the way up, so that bind mounts are seen, too
/// (RULES section 4, R15).
func overlaps(of folders: [[UInt8]], library: [UInt8]) -> [String] {
    let places = folders.map(Place.init)
    let home = Place(resolvedPath(library))
    var problems: [String] = []
    for (index, place) in places.enumerated() {
        if isWithin(place, home) || isWithin(home, place) {
            problems.append(
                "'\(printable(place.path))' and the library '\(printable(home.path))' lie within one another; keep them apart"
            )
        }
        for other in places[(index + 1)...] where isWithin(place, other) || isWithin(other, place) {
            problems.append(
                "'\(printable(place.path))' and '\(printable(other.path))' overlap; watch only the outer one, with albums = \"tree\""
            )
        }
    }
    return problems
}

private struct Place {
    let path: [UInt8]
    /// Nil where the directory is not there.
    let own: Inode?
    /// The directory's own and those of the directories above it.
    let chain: [Inode]

    init(_ path: [UInt8]) {
        self.path = path
        own = inode(of: path)
        chain = inodes(upwardsFrom: path)
    }
}

private struct Inode: Hashable {
    var device: UInt
    var inode: UInt
}

/// Whether `inner` is `outer` or lies in it.
private func isWithin(_ inner: Place, _ outer: Place) -> Bool {
    if inner.path == outer.path || inner.path.starts(with: outer.path + [UInt8(ascii: "/")]) { return true }
    return outer.own.map { inner.chain.contains($0) } ?? false
}

private func inode(of path: [UInt8]) -> Inode? {
    var status = stat()
    let path = path.isEmpty ? [UInt8(ascii: "/")] : path
    guard path.withCPath({ stat($0, &status) }) == 0 else { return nil }
    return Inode(device: UInt(status.st_dev), inode: UInt(status.st_ino))
}

private func inodes(upwardsFrom path: [UInt8]) -> [Inode] {
    var chain: [Inode] = []
    var path = PathBytes(path)
    while true {
        if let inode = inode(of: path.bytes) { chain.append(inode) }
        if path.bytes.isEmpty { return chain }
        path = path.directory
    }
}
