import CLinux
import Glibc

/// Changing bytes and names, and making them durable.
extension LinuxFiles {
    package func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
            let count = try result(of: "pwrite") {
                pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            }
            // No progress and no reason given: better an error than a loop without end.
            guard count > 0 else { throw FileError(code: EIO, verb: "pwrite") }
            done += count
        }
    }

    package func clone(_ source: OpenFile, to target: OpenFile) throws(FileError) -> Bool {
        do {
            try result(of: "ficlone") { linux_clone(source.descriptor, target.descriptor) }
            return true
        } catch  where [EOPNOTSUPP, ENOTTY, ENOSYS, EXDEV, EINVAL].contains(error.code) {
            return false
        }
    }

    package func setMode(_ file: OpenFile, _ mode: UInt32) throws(FileError) {
        try result(of: "fchmod") { fchmod(file.descriptor, mode_t(mode)) }
    }

    package func setModified(_ file: OpenFile, _ modified: Int64) throws(FileError) {
        let second: Int64 = 1_000_000_000
        let nanoseconds = (modified % second + second) % second
        // UTIME_OMIT, which is not imported (utimensat(2)).
        let times = [
            timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2),
            timespec(tv_sec: time_t((modified - nanoseconds) / second), tv_nsec: Int(nanoseconds)),
        ]
        try result(of: "futimens") { futimens(file.descriptor, times) }
    }

    package func startWriteBack(_ file: OpenFile, from offset: Int64, count: Int64) {
        // A hint: what fails here fails again, and is heard, in `sync`.
        _ = linux_start_write_back(file.descriptor, offset, count)
    }

    package func sync(_ file: OpenFile) throws(FileError) {
        try once("fsync") { fsync(file.descriptor) }
    }

    package func syncFileSystem(_ directory: OpenFile) throws(FileError) {
        try once("syncfs") { linux_sync_file_system(directory.descriptor) }
    }

    package func rename(
        _ name: [UInt8], in from: OpenFile, to newName: [UInt8], in to: OpenFile
    ) throws(FileError) {
        try require(name: name, "renameat2")
        try require(name: newName, "renameat2")
        let old = name.map { CChar(bitPattern: $0) } + [0]
        try result(of: "renameat2", on: newName) { linux_rename(from.descriptor, old, to.descriptor, $0) }
    }

    package func unlink(_ path: [UInt8], in directory: OpenFile) throws(FileError) {
        try withParent(of: path, in: directory, "unlinkat") { (parent, name) throws(FileError) in
            _ = try result(of: "unlinkat", on: name) { unlinkat(parent.descriptor, $0, 0) }
        }
    }
}
