import Glibc
package import Platform

/// The service manager's end of sd_notify(3), played by a test: what a daemon tells of itself, as it tells it.
package final class NotifySocket: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Binds the socket; anybody may write to it, as the daemon may be another user.
    package init(at path: String) throws(FileError) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let code = withUnixAddress(path) { bind(descriptor, $0, $1) }
        guard descriptor >= 0, code == 0 else { throw FileError(code: errno, verb: "bind", path: Array(path.utf8)) }
        chmod(path, 0o777)
    }

    deinit { close(descriptor) }

    /// The next message; nil where none came in time.
    package func receive(within time: Duration) -> String? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, Int32(clamping: Int64(time / .milliseconds(1)))) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Puts a message in the line, as if the daemon had told it.
    package func tell(_ message: String) {
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(sender) }
        let bytes = Array(message.utf8)
        _ = withUnixAddress(path) { sendto(sender, bytes, bytes.count, 0, $0, $1) }
    }
}

/// Calls `body` with the address of a Unix socket's path (unix(7)).
func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
