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

extension Configuration {
    /// Refuses folders that cannot be watched beside one another, the library and the socket, and places for these that
    /// keep no files.
    func checkFolders() throws(ConfigurationError) {
        try checkPlaces()
        try refuseOverlaps(of: folders.map(\.path), library: library, places: pathPlaces)
        try refuseSocket(socket, in: folders.map(\.path), library: library, places: pathPlaces)
    }
}

/// Refuses a socket that lies in the library or in a folder: what albumd makes beside it is nobody's photo.
///
/// Told at the place of the socket; where that is nowhere written, at that of the directory round it.
func refuseSocket(
    _ socket: [UInt8], in folders: [[UInt8]], library: [UInt8], places spots: PathPlaces
) throws(ConfigurationError) {
    let directory = Place(PathBytes(socket).directory.bytes)
    let homes = [("library", library)] + folders.map { ("folder", $0) }
    let problems = homes.map { ($0, Place($1)) }.filter { isWithin(directory, $1) }.map { what, place in
        spots.problem(
            with: spots.last(socket) == nil ? place.written : socket,
            "the socket '\(printable(socket))' lies in the \(what) \(place.name); choose a directory apart from it")
    }
    guard problems.isEmpty else { throw ConfigurationError(problems) }
}

/// Refuses folders that lie within one another, that share a directory with the library, or that are no directories.
///
/// Each fault is told at the place of the path that is at fault, of two folders the later.
func refuseOverlaps(
    of folders: [[UInt8]], library: [UInt8], places spots: PathPlaces = PathPlaces()
) throws(ConfigurationError) {
    let places = folders.map { Place($0) }
    let home = Place(library)
    var problems: [ConfigurationError.Problem] = []
    for (index, place) in places.enumerated() {
        if let kind = kernelFileSystem(of: place.path) {
            let message = "\(place.name) is on a file system of the kernel (\(kind)), where no photos are"
            problems.append(spots.problem(with: place.written, message))
        }
        if isNoDirectory(place.path) {
            let message = "\(place.name) is there and is no directory; name the directory that it lies in"
            problems.append(spots.problem(with: place.written, message))
        }
        if nesting(place, home) != nil {
            let message = "\(place.name) and the library \(home.name) lie within one another; keep them apart"
            problems.append(spots.problem(with: place.written, message))
        }
        for earlier in places[..<index] {
            guard let nesting = nesting(earlier, place) else { continue }
            problems.append(spots.problem(with: place.written, sentence(nesting, earlier, place, spots)))
        }
    }
    guard problems.isEmpty else { throw ConfigurationError(problems) }
}

private func sentence(_ nesting: Nesting, _ place: Place, _ other: Place, _ spots: PathPlaces) -> String {
    let line = spots.first(place.written).map { ", in line \($0.place.line) of \($0.file)" } ?? ""
    return switch nesting {
    case .same: "\(other.name) is there twice: it is \(place.name)\(line), too; keep one of the two"
    case .within:
        "\(place.name)\(line) lies within \(other.name); watch only the outer one, with albums = \"tree\""
    case .around:
        "\(other.name) lies within \(place.name)\(line); watch only the outer one, with albums = \"tree\""
    }
}

private func nesting(_ place: Place, _ other: Place) -> Nesting? {
    if place.path == other.path || place.own != nil && place.own == other.own { return .same }
    if isWithin(place, other) { return .within }
    return isWithin(other, place) ? .around : nil
}

private struct Place {
    /// As it was given, and with every symlink resolved.
    let written: [UInt8]
    let path: [UInt8]
    var name: String { "'\(printable(written))'" }
    /// Nil where the directory is not there.
    let own: Inode?
    /// Where it lies on its file system: a bind mount of a part of the other has no common way up.
    let onDisk: DirectoryPlace?
    /// The directory's own and those of the directories above it.
    let chain: [Inode]

    init(_ written: [UInt8]) {
        let path = resolvedPath(written)
        (self.written, self.path) = (written, path)
        own = inode(of: path)
        chain = inodes(upwardsFrom: path)
        let files = LinuxFiles()
        onDisk = (try? files.openDirectory(path)).flatMap { files.place(of: $0) }
    }
}

/// What is not there yet may become a directory.
func isNoDirectory(_ path: [UInt8]) -> Bool {
    var status = stat()
    return path.withCPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT != S_IFDIR
}

private struct Inode: Hashable {
    var device: UInt
    var inode: UInt
}

/// Whether `inner` is `outer` or lies in it.
private func isWithin(_ inner: Place, _ outer: Place) -> Bool {
    if inner.path == outer.path || inner.path.starts(with: outer.path + [UInt8(ascii: "/")]) { return true }
    if let onDisk = inner.onDisk, let around = outer.onDisk, onDisk.isWithin(around) { return true }
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
