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
    /// No descriptor is free, in this process or in the system (EMFILE, ENFILE).
    package var isTooManyFiles: Bool { code == EMFILE || code == ENFILE }
    package var isPermission: Bool { code == EACCES || code == EPERM }
    package var isReadOnly: Bool { code == EROFS }
    /// What is there cannot be known now: not the same as nothing (R13).
    ///
    /// EBADMSG and EUCLEAN are what ext4 and XFS say of an inode or a block whose checksum is wrong.
    package var isUnreachable: Bool {
        [EIO, ESTALE, ENOTCONN, ENODEV, ENXIO, EBADMSG, EUCLEAN].contains(code)
    }
    /// Too many descriptors or too little memory just now, which says nothing of the file.
    package var isShortage: Bool { [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(code) }
    /// The trouble of this one file or directory: others on the disk may be well.
    package var isOfOneFile: Bool { !isNoSpace && !isReadOnly && !isShortage }
}

extension FileError {
    /// What mends it that albumd may not do with its own files what it must.
    package static let permissionAdvice =
        "give the library back to the user that albumd runs as, with chown -R, and see with lsattr that nothing in it "
        + "is immutable"

    /// For a person, of a file in the library.
    package var ofLibrary: String { isPermission ? "\(self): \(FileError.permissionAdvice)" : description }
}

extension FileError: CustomStringConvertible {
    package var description: String {
        let reason = String(cString: strerror(code))
        return path.isEmpty ? "\(verb): \(reason)" : "\(verb) '\(printable(path))': \(reason)"
    }
}
