import CCurl
import Glibc
import Platform
import Synchronization

extension HTTPClient {
    /// Bodies above this wait for the server's `100 Continue`, so that a refusal comes before the bytes (RFC 9110, 10.1.1).
    private static let expectThreshold = 32 * 1024

    /// Runs one request on an idle handle, or a new one, and gives the handle back.
    func perform(
        _ method: Method, _ path: String, _ query: [String: String], _ prepare: (Transfer) -> Void
    ) throws(HTTPClientError) -> HTTPReply {
        guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle() else {
            throw .broken(message: "libcurl did not start: out of memory")
        }
        let transfer = Transfer(handle)
        prepare(transfer)
        configure(transfer, method, path, query)
        let code = withExtendedLifetime(transfer) { handle.perform(headers: headers(of: transfer)) }
        try check(code, transfer)
        let reply = HTTPReply(status: handle.status, headers: transfer.headers, body: transfer.body)
        handle.reset()
        idle.withLock { $0.append(handle) }
        return reply
    }

    private func configure(_ transfer: Transfer, _ method: Method, _ path: String, _ query: [String: String]) {
        let handle = transfer.handle
        handle.set(CURLOPT_UNIX_SOCKET_PATH, socketPath)
        handle.set(CURLOPT_URL, "http://localhost" + path + Self.encoded(query))
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        // Without it curl uses signals for its time-outs, which threads must not (libcurl-thread(3)).
        handle.set(CURLOPT_NOSIGNAL, 1)
        // No proxy of the environment: the server is on this machine.
        handle.set(CURLOPT_PROXY, "")
        handle.set(CURLOPT_PROTOCOLS_STR, "http")
        if let timeout = transfer.timeout { handle.set(CURLOPT_TIMEOUT_MS, milliseconds(timeout)) }
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        handle.set(CURLOPT_HEADERFUNCTION, headerCame)
        handle.set(CURLOPT_HEADERDATA, pointer: context)
        handle.set(CURLOPT_WRITEFUNCTION, bodyCame)
        handle.set(CURLOPT_WRITEDATA, pointer: context)
        guard transfer.hasBody else { return }
        handle.set(CURLOPT_UPLOAD, 1)
        handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024)
        handle.set(CURLOPT_READFUNCTION, bodyWanted)
        handle.set(CURLOPT_READDATA, pointer: context)
        // -1 is "not known": curl sends chunks.
        handle.set(CURLOPT_INFILESIZE_LARGE, size: transfer.byteCount ?? -1)
    }

    private func headers(of transfer: Transfer) -> [String] {
        guard transfer.hasBody else { return [] }
        let type = transfer.source == nil ? "application/json" : "application/octet-stream"
        let waits = transfer.byteCount.map { $0 > Self.expectThreshold } ?? true
        // An empty value keeps curl from deciding by itself.
        return ["Content-Type: \(type)", waits ? "Expect: 100-continue" : "Expect:"]
    }

    private func check(_ code: CURLcode, _ transfer: Transfer) throws(HTTPClientError) {
        if code == CURLE_OK || transfer.isStopped { return }
        if let error = transfer.error { throw error }
        switch code {
        case CURLE_COULDNT_CONNECT: throw connectionError()
        case CURLE_OPERATION_TIMEDOUT: throw .timeout
        default: throw .broken(message: CurlHandle.message(code))
        }
    }

    /// Why a connect failed: curl hides the errno, so we ask connect(2) ourselves.
    private func connectionError() -> HTTPClientError {
        switch connectCode(of: socketPath) {
        case ENOENT, ENOTDIR: .noSocket(path: socketPath)
        case ECONNREFUSED: .nobodyListening(path: socketPath)
        case EACCES, EPERM: .permission(path: socketPath)
        case 0: .broken(message: "the connection failed, and would succeed now")
        case let code: .broken(message: "\(FileError(code: code, verb: "connect", path: Array(socketPath.utf8)))")
        }
    }

    /// `?key=value&…`, all but letters, digits and `-._~` escaped (RFC 3986, 2.3); sorted, so that it repeats.
    private static func encoded(_ query: [String: String]) -> String {
        guard !query.isEmpty else { return "" }
        let pairs = query.sorted { $0.key < $1.key }.map { escaped($0.key) + "=" + escaped($0.value) }
        return "?" + pairs.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

private func milliseconds(_ duration: Duration) -> Int {
    max(1, Int(duration / .milliseconds(1)))
}

/// What connect(2) says of a Unix socket: 0, or its errno.
private func connectCode(of path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
        }
    }
}
