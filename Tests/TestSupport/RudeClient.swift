import Glibc
package import Platform

/// A connection to a Unix socket that says whatever bytes it likes, or nothing.
package final class RudeClient: Sendable {
    private let descriptor: Int32

    /// Throws what connect(2) says.
    package init(to path: String) throws(FileError) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // Nothing may hang a test.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            throw FileError(code: errno, verb: "connect", path: Array(path.utf8))
        }
    }

    deinit { close(descriptor) }

    /// False where the server has closed.
    @discardableResult
    package func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// At most `count` bytes; empty at the end, or where none came in time.
    package func receive(_ count: Int = 65_536) -> String {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
    }
}
