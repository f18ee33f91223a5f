import Glibc
import Platform

/// One request under way: where its body comes from, where the reply goes.
///
/// Lives on the calling thread alone.
final class Transfer {
    /// Where a reply's body goes, if the reply is a success; another's is always kept.
    enum Destination {
        case memory
        case descriptor(Int32)
        case lines(([UInt8]) -> Bool)
    }

    let handle: CurlHandle
    var destination = Destination.memory
    /// Largest reply that is kept in memory; also the longest line.
    var largestBody = 64 * 1024 * 1024
    /// The body to send, and how far it is sent.
    var outgoing: [UInt8] = []
    var outgoingCount = 0
    var source: Int32?
    /// Of the whole transfer.
    var timeout: Duration?
    var sent: Int64 = 0
    var received: Int64 = 0
    /// Called with the bytes moved so far and those in all, if that is known, after each piece.
    var progress: (Int64, Int64?) -> Void = { _, _ in }
    /// The bytes to send in all, where the source has a size.
    var total: Int64?

    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    /// Why a callback stopped the transfer; `isStopped` where it was the caller's wish.
    private(set) var error: HTTPClientError?
    private(set) var isStopped = false

    init(_ handle: CurlHandle) { self.handle = handle }

    var hasBody: Bool { source != nil || !outgoing.isEmpty }
    /// The size of the body to send, where it is known.
    var byteCount: Int64? { source == nil ? Int64(outgoing.count) : total }

    var isSuccess: Bool { (200..<300).contains(handle.status) }

    private var announced: Int64? { headers.first { $0.name == "content-length" }.flatMap { Int64($0.value) } }

    /// A header line.
    ///
    /// A new status line begins anew: an interim `100 Continue` is no reply.
    func take(headerLine: String) {
        guard let colon = headerLine.firstIndex(of: ":") else {
            if headerLine.hasPrefix("HTTP/") { headers = [] }
            return
        }
        let value = headerLine[headerLine.index(after: colon)...]
        headers.append((headerLine[..<colon].lowercased(), trimmed(value)))
    }

    /// A piece of the body; false stops the transfer.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard isSuccess else { return keep(bytes) }
        switch destination {
        case .memory: return keep(bytes)
        case .lines(let each): return split(bytes, each)
        case .descriptor(let descriptor): return write(bytes, to: descriptor)
        }
    }

    /// Fills `buffer` with what is to be sent; 0 is the end, nil a failure.
    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let source else {
            let count = min(buffer.count, outgoing.count - outgoingCount)
            buffer.copyBytes(from: outgoing[outgoingCount..<outgoingCount + count])
            outgoingCount += count
            return count
        }
        var count = read(source, buffer.baseAddress, buffer.count)
        while count < 0, errno == EINTR { count = read(source, buffer.baseAddress, buffer.count) }
        guard count >= 0 else {
            error = .file(FileError(code: errno, verb: "read"))
            return nil
        }
        sent += Int64(count)
        progress(sent, total)
        return count
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= largestBody else {
            error = .broken(message: "the reply is larger than \(counted(largestBody, "byte"))")
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func split(_ bytes: UnsafeRawBufferPointer, _ each: ([UInt8]) -> Bool) -> Bool {
        guard keep(bytes) else { return false }
        while let end = body.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(body[..<end])
            body.removeFirst(end + 1)
            guard each(line) else {
                isStopped = true
                return false
            }
        }
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard count >= 0 || errno == EINTR else {
                error = .file(FileError(code: errno, verb: "write"))
                return false
            }
            rest = rest.dropFirst(max(0, count))
        }
        received += Int64(bytes.count)
        progress(received, announced)
        return true
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
}

/// The bytes between a regular file's position and its end; nil for anything else (fstat(2), lseek(2)).
func remainingBytes(of descriptor: Int32) -> Int64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let position = lseek(descriptor, 0, SEEK_CUR)
    return position < 0 ? nil : max(0, Int64(status.st_size) - Int64(position))
}
