import CMicroHTTPD
import Control
import Glibc
import Platform

/// The head of a connection's request while it comes: looked at where it lies, in the socket, and left there.
///
/// So libmicrohttpd finds the connection untouched. The kernel keeps what was not read against the sender's buffer
/// (unix(7), SO_SNDBUF): some 200,000 bytes, and as few as 270 where a client sends each byte by itself.
struct ArrivingHead {
    enum Arrival {
        /// More has to come.
        case partial
        case whole
        case refused(Problem)
        /// Nothing came, and nothing will.
        case ended
    }

    let descriptor: Int32
    /// Our own copy of the descriptor, which is watched.
    let control: Int32
    private var bytes: [UInt8] = []
    /// Where the line begins whose end has not come.
    private var lineStart = 0

    /// Throws the errno of setsockopt(2).
    init(of descriptor: Int32, control: Int32) throws(FileError) {
        (self.descriptor, self.control) = (descriptor, control)
        // Each look begins where the last one ended (socket(7)).
        var offset: Int32 = 0
        guard setsockopt(descriptor, SOL_SOCKET, SO_PEEK_OFF, &offset, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw FileError(code: errno, verb: "setsockopt SO_PEEK_OFF")
        }
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Looks at what has come since the last time.
    mutating func look() -> Arrival {
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &piece, piece.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            guard count > 0 else {
                if count < 0, errno == EAGAIN { return .partial }
                return isEmpty ? .ended : .refused(.malformedHead("the head ends before its blank line"))
            }
            bytes += piece.prefix(count)
            if let end = findEnd() { return judge(bytes[..<end]) }
            guard bytes.count <= HeadSyntax.longestHead else { return .refused(tooLarge) }
        }
    }

    /// Where the blank line ends.
    private mutating func findEnd() -> Int? {
        while let newline = bytes[max(lineStart, 0)...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[lineStart..<newline]
            lineStart = newline + 1
            if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) { return lineStart }
        }
        return nil
    }

    private func judge(_ head: ArraySlice<UInt8>) -> Arrival {
        guard head.count <= HeadSyntax.longestHead else { return .refused(tooLarge) }
        do throws(Problem) {
            try HeadSyntax.check(head)
            return .whole
        } catch {
            return .refused(error)
        }
    }

    private var tooLarge: Problem {
        bytes.prefix(HeadSyntax.longestHead).contains(UInt8(ascii: "\n")) ? .headTooLarge : .targetTooLong
    }
}

extension ArrivingHead {
    /// Answers, in libmicrohttpd's place.
    ///
    /// The answer fits the socket's buffer, which is empty; a client that has gone gets none.
    func answer(_ problem: Problem) {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        _ = wholeAnswer(problem).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        drain()
    }

    /// Takes what has come, so that the client reads an end and no reset.
    private func drain() {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<32 {
            guard recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 else { return }
        }
    }
}

/// The bytes of an answer that libmicrohttpd has no part in.
private func wholeAnswer(_ problem: Problem) -> [UInt8] {
    let body = JSON.encode(problem)
    let phrase = MHD_get_reason_phrase_for(UInt32(problem.status)).map { String(cString: $0) } ?? ""
    let head = [
        "HTTP/1.1 \(problem.status) \(phrase)", "Content-Type: application/problem+json",
        "Content-Length: \(body.count)", "Connection: close", "", "",
    ]
    return Array(head.joined(separator: "\r\n").utf8) + body
}
