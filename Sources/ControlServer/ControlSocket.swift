import Glibc
import Platform

/// The listening socket: made afresh, or taken over from systemd (RULES R47).
///
/// The descriptor is the caller's until a `ControlServer` gets it.
package enum ControlSocket {
    /// Longest path that fits sockaddr_un with its final zero (unix(7)).
    static let longestPath = 107

    /// Makes the socket at `path`, mode 0660, of `group` where one is given, with its directory (0750) where it is absent.
    ///
    /// A lock file beside it is held from the probe to the listening, so that two daemons that start at once cannot
    /// both find the old socket stale and remove each other's.
    package static func make(at path: String, group: UInt32? = nil) throws(ControlServerError) -> Int32 {
        let byteCount = path.utf8.count
        guard byteCount <= longestPath else { throw .pathTooLong(path: path, byteCount: byteCount) }
        try makeDirectory(of: path)
        let lock = try takeLock(beside: path)
        defer { close(lock) }
        try clearStale(path)
        return try bindAndListen(path, group: group)
    }

    /// Throws where `make` would: something is served at `path`, or stands there and is no socket.
    ///
    /// It makes and removes nothing: whoever is refused has changed nothing yet.
    package static func requireFree(_ path: String) throws(ControlServerError) {
        let byteCount = path.utf8.count
        guard byteCount <= longestPath else { throw .pathTooLong(path: path, byteCount: byteCount) }
        _ = try isStale(path)
    }

    /// Takes over descriptor `descriptor`, which systemd opened (sd_listen_fds(3)).
    package static func adopt(_ descriptor: Int32) throws(ControlServerError) -> Int32 {
        guard isUnixListener(descriptor) else { throw .notListening(descriptor: descriptor) }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw failure("fcntl") }
        return descriptor
    }

    private static func makeDirectory(of path: String) throws(ControlServerError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        guard mkdir(directory, 0o750) == 0 || errno == EEXIST else { throw failure("mkdir", directory) }
    }

    /// The lock file is never removed: who removes it could remove another's (flock(2)).
    private static func takeLock(beside path: String) throws(ControlServerError) -> Int32 {
        let name = path + ".lock"
        let descriptor = Glibc.open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("open", name) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = failure("flock", name)
                close(descriptor)
                throw error
            }
        }
        return descriptor
    }

    /// Removes a socket that nobody listens on, and nothing else.
    private static func clearStale(_ path: String) throws(ControlServerError) {
        guard try isStale(path) else { return }
        guard unlink(path) == 0 else { throw failure("unlink", path) }
    }

    /// False where nothing is there; throws where it is anything but a socket that nobody listens on.
    ///
    /// Only ECONNREFUSED says so (connect(2)).
    private static func isStale(_ path: String) throws(ControlServerError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure("lstat", path) }
            return false
        }
        // connect(2) answers ECONNREFUSED for a plain file too.
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        switch try probe(path) {
        case 0: throw .alreadyServed(path: path)
        case ECONNREFUSED: return true
        // Another daemon removed it meanwhile.
        case ENOENT: return false
        case let code: throw .unclear(path: path, code: code)
        }
    }

    /// What connect(2) says of `path`: 0, or its errno.
    private static func probe(_ path: String) throws(ControlServerError) -> Int32 {
        let descriptor = try makeSocket()
        defer { close(descriptor) }
        return withAddress(of: path) { address, size in connect(descriptor, address, size) == 0 ? 0 : errno }
    }

    private static func bindAndListen(_ path: String, group: UInt32?) throws(ControlServerError) -> Int32 {
        let descriptor = try makeSocket()
        do throws(ControlServerError) {
            try bind(descriptor, to: path)
            if let group { try give(path, to: group) }
            try open(path)
            // Until here a client is refused, whatever the mode says.
            guard listen(descriptor, SOMAXCONN) == 0 else { throw failure("listen", path) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The file is 0600 at most from the first moment: a socket that has a mode gives it to its name (unix(7)).
    ///
    /// The umask, which every thread shares, stays as it is: another thread's new directory could not be entered.
    private static func bind(_ descriptor: Int32, to path: String) throws(ControlServerError) {
        guard fchmod(descriptor, 0o600) == 0 else { throw failure("fchmod") }
        let code = withAddress(of: path) { address, size in Glibc.bind(descriptor, address, size) == 0 ? 0 : errno }
        guard code == 0 else { throw .failed(FileError(code: code, verb: "bind", path: Array(path.utf8))) }
    }

    /// Lets the group in, last of all: until then only the owner could connect.
    private static func open(_ path: String) throws(ControlServerError) {
        guard fchmodat(AT_FDCWD, path, 0o660, AT_SYMLINK_NOFOLLOW) == 0 else { throw failure("chmod", path) }
    }

    private static func give(_ path: String, to group: UInt32) throws(ControlServerError) {
        guard lchown(path, uid_t.max, group) == 0 else { throw failure("chown", path) }
    }

    private static func makeSocket() throws(ControlServerError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure("socket") }
        return descriptor
    }

    private static func failure(_ verb: String, _ path: String = "") -> ControlServerError {
        .failed(FileError(code: errno, verb: verb, path: Array(path.utf8)))
    }
}

/// Calls `body` with the address of `path`, which must have at most 107 bytes (unix(7)).
private func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(ControlSocket.longestPath)) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
