/// One request as the control socket received it, limits already checked (RULES R48).
package struct Request: Sendable {
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    package var method: Method
    /// The path without the query, as sent: ASCII, no percent escapes (an escape is answered with 400).
    package var path: String
    /// The query, percent-decoded, UTF-8.
    ///
    /// A key given twice is answered with 400.
    package var query: [String: String]
    /// A JSON body.
    ///
    /// Empty for `GET`, and for an upload, whose bytes went to its sink.
    package var body: [UInt8]
    package var peer: Peer
    /// What `Content-Length` promises; nil where the client did not say.
    ///
    /// A hint for an upload, whose bytes are counted.
    package var byteCount: Int64?

    package init(
        method: Method, path: String, query: [String: String], body: [UInt8], peer: Peer, byteCount: Int64? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.peer = peer
        self.byteCount = byteCount
    }

    /// The same request with its body.
    package func with(body: [UInt8]) -> Request {
        var request = self
        request.body = body
        return request
    }
}

/// Who is at the other end, as the kernel says (unix(7), SO_PEERCRED and SO_PEERGROUPS).
///
/// The pid is a hint, never a proof.
package struct Peer: Sendable, Equatable {
    package var uid: UInt32
    package var gid: UInt32
    package var groups: [UInt32]
    package var pid: Int32

    package init(uid: UInt32, gid: UInt32, groups: [UInt32], pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.groups = groups
        self.pid = pid
    }
}
