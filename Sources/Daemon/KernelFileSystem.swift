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
