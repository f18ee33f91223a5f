import CLinux
import Glibc

/// Opening, by the rules of S2.
extension LinuxFiles {
    package func openDirectory(_ path: [UInt8]) throws(FileError) -> OpenFile {
        guard path.first == UInt8(ascii: "/") else { throw FileError(code: EINVAL, verb: "open", path: path) }
        return OpenFile(try result(of: "open", on: path) { linux_open_directory($0) }, of: self)
    }

    package func openDirectory(_ path: [UInt8], beneath root: OpenFile) throws(FileError) -> OpenFile {
        try open(path.isEmpty ? [UInt8(ascii: ".")] : path, beneath: root, O_RDONLY | O_DIRECTORY)
    }

    package func openForReading(_ path: [UInt8], beneath root: OpenFile) throws(FileError) -> OpenFile {
        try open(path, beneath: root, O_RDONLY)
    }

    package func openForUpdating(_ name: [UInt8], in directory: OpenFile) throws(FileError) -> OpenFile {
        try require(name: name, "openat2")
        return try open(name, beneath: directory, O_RDWR)
    }

    package func create(_ name: [UInt8], in directory: OpenFile) throws(FileError) -> OpenFile {
        try require(name: name, "create")
        return try open(name, beneath: directory, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    }

    package func makeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError) {
        try require(name: name, "mkdirat")
        try result(of: "mkdirat", on: name) { mkdirat(directory.descriptor, $0, 0o700) }
    }

    package func removeDirectory(_ name: [UInt8], in directory: OpenFile) throws(FileError) {
        try require(name: name, "unlinkat")
        try result(of: "unlinkat", on: name) { unlinkat(directory.descriptor, $0, AT_REMOVEDIR) }
    }

    private func open(
        _ path: [UInt8], beneath root: OpenFile, _ flags: Int32, mode: UInt64 = 0
    ) throws(FileError) -> OpenFile {
        let descriptor = try result(of: "openat2", on: path) {
            openBeneath(root.descriptor, $0, flags, mode)
        }
        return OpenFile(descriptor, of: self)
    }
}
