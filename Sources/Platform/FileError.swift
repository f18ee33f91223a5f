import Glibc

/// A file verb that failed: what was tried, on what, and the kernel's reason.
package struct FileError: Error, Sendable, Equatable {
    package var code: Int32
    package var verb: String
    package var path: [UInt8]

    package init(code: Int32, verb: String, path: [UInt8] = []) {
        self.code = code
        self.verb = verb
        self.path = path
    }

    /// Nothing is at that name (ENOENT, ENOTDIR).
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
    /// Something has that name already (EEXIST).
    package var isExistence: Bool { code == EEXIST }
    /// No room (R11).
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    package var isPermission: Bool { code == EACCES || code == EPERM }
    package var isReadOnly: Bool { code == EROFS }
    /// What is there cannot be known now: not the same as nothing (R13).
    package var isUnreachable: Bool {
        code == EIO || code == ESTALE || code == ENOTCONN || code == ENODEV || code == ENXIO
    }
}

extension FileError: CustomStringConvertible {
    package var description: String {
        let reason = String(cString: strerror(code))
        return path.isEmpty ? "\(verb): \(reason)" : "\(verb) '\(printable(path))': \(reason)"
    }
}
