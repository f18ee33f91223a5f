import Synchronization

/// Speaks HTTP to a server on a Unix socket.
///
/// Every call blocks until its reply is there, so not on the cooperative pool.
///
/// Any thread may call; each call has a connection of its own.
package final class HTTPClient: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    package let socketPath: String
    private let timeout: Duration?
    let idle = Mutex<[CurlHandle]>([])

    /// The time-out is that of a whole `send`; nil waits for ever.
    ///
    /// Streams and files have none.
    package init(socketPath: String, timeout: Duration? = nil) {
        self.socketPath = socketPath
        self.timeout = timeout
    }

    /// Sends a request with all of its body (JSON) and returns the reply with all of its own, 64 MiB at most.
    package func send(
        _ method: Method, _ path: String, query: [String: String] = [:], body: [UInt8] = []
    ) throws(HTTPClientError) -> HTTPReply {
        try perform(method, path, query) { transfer in
            transfer.timeout = timeout
            transfer.outgoing = body
        }
    }

    /// Sends with `PUT` what is left of an open file.
    ///
    /// `progress` is called often with the bytes sent; the total is nil where the descriptor has no size.
    package func upload(
        _ path: String, query: [String: String] = [:], from descriptor: Int32,
        progress: @escaping (_ sent: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) throws(HTTPClientError) -> HTTPReply {
        try perform(.put, path, query) { transfer in
            transfer.source = descriptor
            transfer.total = remainingBytes(of: descriptor)
            transfer.progress = progress
        }
    }

    /// Writes the body of a successful reply to an open file; another's is in the reply.
    package func download(
        _ path: String, query: [String: String] = [:], to descriptor: Int32,
        progress: @escaping (_ received: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) throws(HTTPClientError) -> HTTPReply {
        try perform(.get, path, query) { transfer in
            transfer.destination = .descriptor(descriptor)
            transfer.progress = progress
        }
    }

    /// Follows a reply line by line (NDJSON) until it ends or `each` returns false; a refusal's body is in the reply.
    package func lines(
        _ path: String, method: Method = .get, query: [String: String] = [:], body: [UInt8] = [],
        each: @escaping ([UInt8]) -> Bool
    ) throws(HTTPClientError) -> HTTPReply {
        try perform(method, path, query) { transfer in
            transfer.outgoing = body
            transfer.destination = .lines(each)
        }
    }
}
