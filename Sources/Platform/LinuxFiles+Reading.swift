import CLinux
import Glibc

/// What is there: status, entries, bytes.
extension LinuxFiles {
    package func status(of file: OpenFile) throws(FileError) -> FileStatus {
        var status = linux_status()
        try result(of: "statx") { linux_status_of(file.descriptor, &status) }
        return FileStatus(status)
    }

    package func status(at path: [UInt8], in directory: OpenFile) throws(FileError) -> FileStatus {
        try withParent(of: path, in: directory, "statx") { (parent, name) throws(FileError) in
            var status = linux_status()
            try result(of: "statx", on: name) { linux_status_at(parent.descriptor, $0, &status) }
            return FileStatus(status)
        }
    }

    package func list(_ directory: OpenFile) throws(FileError) -> [DirectoryEntry] {
        // Opened anew: a dup(2) would share its place in the directory with the next listing.
        let descriptor = try result(of: "openat2") {
            openBeneath(directory.descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        }
        guard let stream = fdopendir(descriptor) else {
            let code = errno
            Glibc.close(descriptor)
            throw FileError(code: code, verb: "fdopendir")
        }
        defer { closedir(stream) }
        var entries: [DirectoryEntry] = []
        while let entry = try nextEntry(of: stream) {
            if entry.name.isFileName { entries.append(entry) }
        }
        return entries
    }

    /// Nil at the end; only errno tells the end from an error (readdir(3)).
    private func nextEntry(of stream: OpaquePointer) throws(FileError) -> DirectoryEntry? {
        errno = 0
        guard let entry = readdir(stream) else {
            let code = errno
            if code == 0 { return nil }
            throw FileError(code: code, verb: "readdir")
        }
        guard let name = linux_entry_name(entry) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
        return DirectoryEntry(name: Array(bytes), kind: DirectoryEntry.Kind(type: Int(entry.pointee.d_type)))
    }

    package func read(
        _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileError) -> Int {
        try result(of: "pread") { pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }
}

extension FileStatus {
    init(_ status: linux_status) {
        self.init(
            kind: Kind(mode: status.mode), device: status.device, inode: status.inode, byteCount: status.byte_count,
            modified: status.modified, changed: status.changed, born: status.has_born ? status.born : nil,
            linkCount: status.link_count, owner: status.owner, group: status.group, mode: status.mode & 0o7777,
            isImmutable: status.is_immutable, isAppendOnly: status.is_append_only)
    }
}

extension FileStatus.Kind {
    /// The file type in st_mode (inode(7)).
    fileprivate init(mode: UInt32) {
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): self = .regular
        case UInt32(S_IFDIR): self = .directory
        case UInt32(S_IFLNK): self = .symlink
        default: self = .other
        }
    }
}

extension DirectoryEntry.Kind {
    /// The d_type of readdir(3).
    fileprivate init(type: Int) {
        switch type {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .directory
        case Int(DT_LNK): self = .symlink
        case Int(DT_UNKNOWN): self = .unknown
        default: self = .other
        }
    }
}
