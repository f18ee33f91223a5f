import Control
import Glibc

/// An answer past libmicrohttpd, to a request that it cannot be trusted with.
///
/// Of a Content-Length that it does not like, 0.9.75 sends an answer of its own, then asks for ours and sends both in one
/// (`parse_connection_headers`). So ours goes straight to the socket, and the connection is closed.
extension Response {
    /// Writes head and body, which must be small: what does not fit into the socket at once is lost.
    func write(to descriptor: Int32) {
        guard case .bytes(let body) = body else { preconditionFailure("a refusal has its bytes") }
        let head = """
            HTTP/1.1 \(status) \(reasonPhrase)\r
            Content-Type: \(contentType)\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r

            """
        let bytes = Array(head.utf8) + body
        _ = bytes.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    private var reasonPhrase: String { status == 413 ? "Content Too Large" : "Bad Request" }
}
