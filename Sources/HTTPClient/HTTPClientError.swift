package import Platform

/// Why no reply came.
///
/// A reply with any status is no error.
package enum HTTPClientError: Error, Sendable, Equatable {
    /// Nothing has that name: the daemon never ran here, or elsewhere (ENOENT).
    case noSocket(path: String)
    /// The socket is a dead daemon's (ECONNREFUSED).
    case nobodyListening(path: String)
    /// This user may not connect (EACCES).
    case permission(path: String)
    case timeout
    /// The connection failed or ended early; the request may or may not have been carried out.
    case broken(message: String)
    /// The file to send from or to write to failed.
    case file(FileError)
}

extension HTTPClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSocket(let path): "there is no socket '\(printable(path))': is albumd running?"
        case .nobodyListening(let path): "nobody answers on '\(printable(path))': albumd is not running"
        case .permission(let path):
            "this user may not connect to '\(printable(path))': join the group that owns it"
        case .timeout: "no answer in time"
        case .broken(let message): "the connection broke: \(message)"
        case .file(let error): "\(error)"
        }
    }
}
