import CMicroHTTPD
import Control
import Glibc

extension Exchange {
    /// Hands the answer to libmicrohttpd, on its thread.
    ///
    /// It is the connection's last: the next request's head would be read by libmicrohttpd alone, which the accepting
    /// thread does not let happen (`Acceptor.advance`), and a connection is cheap. An answer that cannot be made closes the connection.
    func queue(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        guard let reply = makeReply(response) else { return .NO }
        // Each holder counts: we let go of ours here, the connection of its own when all is sent.
        defer { MHD_destroy_response(reply) }
        MHD_add_response_header(reply, "Connection", "close")
        MHD_add_response_header(reply, "Content-Type", response.contentType)
        for (name, value) in response.headers { MHD_add_response_header(reply, name, value) }
        return MHD_queue_response(connection, UInt32(response.status), reply)
    }

    private func makeReply(_ response: Response) -> OpaquePointer? {
        switch response.body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { bytes in
                // Copied by libmicrohttpd, which promises not to write to it.
                let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                return MHD_create_response_from_buffer(bytes.count, start, .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            let body = StreamBody(of: stream, to: self.connection)
            attach(body, endsWithServer: response.contentType == "application/x-ndjson")
            let context = Unmanaged.passRetained(body).toOpaque()
            return MHD_create_response_from_callback(
                UInt64.max, Self.streamBlockBytes, bodyWanted, context, bodyReleased)
        case .file(let descriptor, let byteCount):
            guard let reply = MHD_create_response_from_fd64(UInt64(max(0, byteCount)), descriptor) else {
                close(descriptor)
                return nil
            }
            return reply
        }
    }

    private static var streamBlockBytes: Int { 16 * 1024 }
}

extension Response {
    /// Lets go of an answer that is not sent.
    ///
    /// A stream ends by itself when nobody holds it.
    func discard() {
        guard case .file(let descriptor, _) = body else { return }
        close(descriptor)
    }
}

/// MHD_ContentReaderCallback, on libmicrohttpd's thread.
private func bodyWanted(
    _ context: Context?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int
) -> Int {
    guard let context else { return -2 }
    let body = Unmanaged<StreamBody>.fromOpaque(context).takeUnretainedValue()
    return body.fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
}

/// MHD_ContentReaderFreeCallback: sent, or given up.
private func bodyReleased(_ context: Context?) {
    guard let context else { return }
    Unmanaged<StreamBody>.fromOpaque(context).takeRetainedValue().cut()
}
