/// What the daemon answers.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Chunks as they come: NDJSON lines, or a large answer. The server asks for more while
        /// less than 64 KiB wait to be sent, and cancels the stream when the client goes away.
        case stream(AsyncStream<[UInt8]>)
        /// `byteCount` bytes of an open file from its start. The descriptor is the server's to close.
        case file(descriptor: Int32, byteCount: Int64)
    }

    package var status: Int
    package var contentType: String
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(status: Int, contentType: String, headers: [(name: String, value: String)] = [], body: Body) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }
}
