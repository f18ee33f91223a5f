import CMicroHTTPD
import Control
import Glibc
import Platform

// What libmicrohttpd calls, each on its own thread. The first argument is the server's state, which outlives the
// daemon; a request's context is its retained `Exchange`; a connection's context is its token. C functions capture
// nothing, so everything comes through those pointers.

typealias Context = UnsafeMutableRawPointer

private func server(_ context: Context?) -> ServerState? {
    context.map { Unmanaged<ServerState>.fromOpaque($0).takeUnretainedValue() }
}

/// MHD_NotifyConnectionCallback: a connection has been taken over, or is about to be closed.
func connectionChanged(
    _ context: Context?, _ connection: OpaquePointer?, _ connectionContext: UnsafeMutablePointer<Context?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let server = server(context), let connectionContext else { return }
    guard change == .CONNECTION_NOTIFY_STARTED else {
        server.forget(UInt64(UInt(bitPattern: connectionContext.pointee)))
        return
    }
    let token = server.start(descriptor: shim_MHD_descriptor(connection)) ?? 0
    connectionContext.pointee = Context(bitPattern: UInt(token))
}

/// MHD_OPTION_URI_LOG_CALLBACK: the request line is there.
///
/// What it returns is the request's context.
func requestBegan(_ context: Context?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?) -> Context? {
    guard let server = server(context), let connection else { return nil }
    let bytes = target.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    let token = UInt64(UInt(bitPattern: shim_MHD_socket_context(connection)))
    let exchange = Exchange(server: server, token: token, target: bytes, connection: MHDConnection(connection))
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// MHD_AccessHandlerCallback: the head is complete, data has come, or everything has.
func requestAdvanced(
    _: Context?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
    _ requestContext: UnsafeMutablePointer<Context?>?
) -> MHD_Result {
    guard let connection, let method, let count, let request = requestContext?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
    let verdict = exchange.advance(
        head: {
            RequestHead(
                method: String(cString: method), contentLength: header("Content-Length", of: connection),
                transferEncoding: header("Transfer-Encoding", of: connection))
        }, data: UnsafeRawBufferPointer(start: data, count: count.pointee))
    switch verdict {
    case .carryOn(let takesData):
        if takesData { count.pointee = 0 }
        return .YES
    case .queue(let response):
        return exchange.queue(response, on: connection)
    case .close:
        return .NO
    }
}

/// MHD_RequestCompletedCallback: the answer is sent, or never will be.
func requestCompleted(
    _: Context?, _: OpaquePointer?, _ requestContext: UnsafeMutablePointer<Context?>?,
    _: MHD_RequestTerminationCode
) {
    guard let exchange = requestContext?.pointee else { return }
    requestContext?.pointee = nil
    Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue().complete()
}

/// MHD_OPTION_UNESCAPE_CALLBACK: leaves escapes alone.
///
/// `RequestTarget` refuses or undoes them.
func nothingUnescaped(_: Context?, _: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?) -> Int {
    text.map { strlen($0) } ?? 0
}

private func header(_ name: String, of connection: OpaquePointer) -> String? {
    MHD_lookup_connection_value(connection, MHD_ValueKind.HEADER_KIND, name).map { String(cString: $0) }
}
