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

/// How one directory lies to another.
enum Nesting {
    case same
    /// The first lies in the second.
    case within
    /// The first holds the second.
    case around
}

/// How `path` lies to `other`; nil where they are apart.
///
/// Compared by path and by device and inode of every directory on the way up, so that bind mounts are seen, too
/// (RULES section 4, R15). Both have their symlinks resolved.
func nesting(of path: [UInt8], to other: [UInt8]) -> Nesting? { nesting(Place(path), Place(other)) }

/// Refuses folders that lie within one another, or that share a directory with the library.
func refuseOverlaps(of folders: [[UInt8]], library: [UInt8]) throws(ConfigurationError) {
    let places = folders.map { Place(resolvedPath($0)) }
    let home = Place(resolvedPath(library))
    var problems: [String] = []
    for (index, place) in places.enumerated() {
        if nesting(place, home) != nil {
            problems.append("\(place.name) and the library \(home.name) lie within one another; keep them apart")
        }
        for other in places[(index + 1)...] {
            guard let nesting = nesting(place, other) else { continue }
            problems.append(sentence(nesting, place, other))
        }
    }
    guard problems.isEmpty else {
        throw ConfigurationError(problems.map { .init(file: "folders", place: nil, message: $0) })
    }
}

private func sentence(_ nesting: Nesting, _ place: Place, _ other: Place) -> String {
    switch nesting {
    case .same: "\(place.name) is there twice; keep one of the two"
    case .within: "\(place.name) lies within \(other.name); watch only the outer one, with albums = \"tree\""
    case .around: "\(other.name) lies within \(place.name); watch only the outer one, with albums = \"tree\""
    }
}

private func nesting(_ place: Place, _ other: Place) -> Nesting? {
    if place.path == other.path || place.own != nil && place.own == other.own { return .same }
    if isWithin(place, other) { return .within }
    return isWithin(other, place) ? .around : nil
}

private struct Place {
    let path: [UInt8]
    var name: String { "'\(printable(path))'" }
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
