package import Platform

/// Why the control socket cannot be served.
package enum ControlServerError: Error, Sendable, Equatable {
    /// sockaddr_un holds 107 bytes (unix(7)).
    case pathTooLong(path: String, byteCount: Int)
    /// Another daemon answers there; the program exits 69.
    case alreadyServed(path: String)
    /// Something that is not a socket has that name; it is never removed.
    case notASocket(path: String)
    /// Whether a daemon answers there cannot be told, so nothing is removed. `code` is connect(2)'s errno.
    case unclear(path: String, code: Int32)
    /// The descriptor handed over is not a Unix socket that listens.
    case notListening(descriptor: Int32)
    case failed(FileError)
    /// libmicrohttpd did not start.
    case noHTTP
}

extension ControlServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let byteCount):
            "the socket path '\(printable(path))' has \(counted(byteCount, "byte")), and a Unix socket's has at most 107: choose a shorter one"
        case .alreadyServed(let path):
            "another daemon already answers on '\(printable(path))'"
        case .notASocket(let path):
            "'\(printable(path))' is not a socket: remove it yourself if it is not needed, or choose another path"
        case .unclear(let path, let code):
            "cannot tell whether a daemon answers on '\(printable(path))': \(FileError(code: code, verb: "connect"))"
        case .notListening(let descriptor):
            "descriptor \(descriptor) is not a listening Unix socket: check the socket unit's ListenStream="
        case .failed(let error):
            "\(error)"
        case .noHTTP:
            "libmicrohttpd did not start: out of memory, descriptors or threads"
        }
    }
}
