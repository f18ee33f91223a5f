import Glibc

/// A client that may be as rude as it likes.
final class RawSocket: Sendable {
    let descriptor: Int32

    /// Nil where connect(2) fails.
    init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // Nothing may hang a test: what does not come in ten seconds does not come.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard code == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends all of it; false where the server has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// The next bytes; nil at the end, empty where none came in time.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Everything until the server closes; nil where it did not.
    func receiveAll() -> String? {
        var all: [UInt8] = []
        while let bytes = receive() {
            guard !bytes.isEmpty else { return nil }
            all += bytes
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Everything until `text` has come; nil where the server closed before, or was silent.
    func receive(until text: String) -> String? {
        var all: [UInt8] = []
        while let bytes = receive(), !bytes.isEmpty {
            all += bytes
            let received = String(decoding: all, as: UTF8.self)
            if received.contains(text) { return received }
        }
        return nil
    }
}

extension RawSocket {
    /// Says that nothing more will be sent, and still listens (shutdown(2)).
    func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}

// Waiting for what the server does, without reading.
extension RawSocket {
    /// Whether the server has closed, or does within the time (poll(2), POLLHUP).
    func isClosed(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, milliseconds) > 0 && entry.revents & Int16(POLLHUP) != 0
    }

    /// Sends a byte at a time, with a pause between, until the server closes; false where it takes all of `count`.
    func drip(_ byte: UInt8, count: Int) -> Bool {
        for _ in 0..<count {
            if isClosed(within: 20) || !send([byte]) { return true }
        }
        return false
    }

    /// A socket that answers a whole request.
    func isServed() -> Bool {
        send("GET /served HTTP/1.1\r\nHost: a\r\n\r\n") && receive(until: "/served") != nil
    }
}
