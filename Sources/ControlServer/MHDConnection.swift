import CMicroHTTPD

/// libmicrohttpd's pointer to a connection, kept as bits so that it may pass between threads.
///
/// Who holds one must know that the connection lives. It does inside a callback about it, and for as long as it is
/// suspended: libmicrohttpd neither times out nor frees a suspended connection.
struct MHDConnection: Sendable {
    private let bits: UInt

    init(_ pointer: OpaquePointer) { bits = UInt(bitPattern: pointer) }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }

    /// Only inside a callback of libmicrohttpd about this connection.
    func suspend() { MHD_suspend_connection(pointer) }

    /// From any thread, once for each `suspend`.
    func resume() { MHD_resume_connection(pointer) }
}
