import PhotoModel
import Platform

/// The kind of the kernel's file system that holds this directory; nil for any other, and where none is there.
///
/// Such a file system holds no photos, and to read its files can do something already. `/dev` is told by its name, for
/// to statfs(2) a devtmpfs is a tmpfs; `/dev/shm` is a tmpfs like any other.
func kernelFileSystem(of path: [UInt8]) -> String? {
    let parts = path.split(separator: UInt8(ascii: "/")).prefix(2).map { String(decoding: $0, as: UTF8.self) }
    if parts.first == "dev", parts.last != "shm" { return "devtmpfs" }
    let files = LinuxFiles()
    // What cannot be opened is told by who tries to watch it.
    guard let directory = try? files.openDirectory(path), let facts = try? files.fileSystem(of: directory),
        case .kernel(let kind) = facts.kind
    else { return nil }
    return kind
}

/// The same of what is to be made at this path: told by the nearest directory on the way up that is there.
func kernelFileSystem(ofNew path: [UInt8]) -> String? { kernelFileSystem(of: nearestDirectory(to: path)) }

/// The file system that a new directory at this path would be on, where it is over a network; nil for any other.
func remoteFileSystem(ofNew path: [UInt8]) -> String? {
    let files = LinuxFiles()
    guard let directory = try? files.openDirectory(nearestDirectory(to: path)),
        let facts = try? files.fileSystem(of: directory), case .remote(let kind) = facts.kind
    else { return nil }
    return kind
}

/// The path itself where it is a directory, symlinks resolved, else the nearest one above.
private func nearestDirectory(to path: [UInt8]) -> [UInt8] {
    var path = PathBytes(path)
    let files = LinuxFiles()
    while !path.bytes.isEmpty, (try? files.openDirectory(path.bytes)) == nil { path = path.directory }
    return path.bytes.isEmpty ? [UInt8(ascii: "/")] : resolvedPath(path.bytes)
}
