import Glibc
import Platform

/// Whether this process may take files out of directories (unlink(2)), as far as it can be told without trying.
struct RemovalRights {
    enum Fault: Equatable {
        /// Immutable or append-only, which no rights pass; of a directory, nothing in it can go.
        case attribute
        /// The directory is sticky, it and a file in it are other users'.
        case sticky
        /// What writing to the directory meets: EACCES, EROFS.
        case access(Int32)
    }

    let user: UInt32
    /// CAP_FOWNER: other users' files are as one's own.
    let ownsAll: Bool

    init(user: UInt32, ownsAll: Bool) { (self.user, self.ownsAll) = (user, ownsAll) }

    /// Those of this process now.
    init(files: any FileVerbs) {
        self.init(user: geteuid(), ownsAll: Self.hasOwnersRights(files: files))
    }

    /// What keeps files in a directory, whatever they are themselves; nil where they can go.
    func fault(of directory: OpenFile, _ status: FileStatus, holding files: [FileStatus]) -> Fault? {
        if status.isImmutable || status.isAppendOnly { return .attribute }
        guard faccessat(directory.descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else { return .access(errno) }
        return isHeld(files, by: status) ? .sticky : nil
    }

    /// Whether a sticky directory keeps one of its files (inode(7), S_ISVTX).
    func isHeld(_ files: [FileStatus], by directory: FileStatus) -> Bool {
        guard directory.mode & UInt32(S_ISVTX) != 0, !ownsAll, directory.owner != user else { return false }
        return files.contains { $0.owner != user }
    }

    /// Bit 3 of the effective capabilities (capabilities(7), proc_pid_status(5)); false where they cannot be read.
    private static func hasOwnersRights(files: any FileVerbs) -> Bool {
        guard let directory = try? files.openDirectory(Array("/proc/self".utf8)),
            let file = try? files.openForReading(Array("status".utf8), beneath: directory),
            let bytes = try? readBytes(file, files: files, at: 0, count: 16 * 1024)
        else { return false }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let word = line?.split(whereSeparator: { $0 == "\t" || $0 == " " }).last
        return word.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << 3 != 0 } ?? false
    }
}
