import Control

/// What a request's head must be like before libmicrohttpd may see it (RFC 9112, sections 2 to 6).
///
/// Stricter than libmicrohttpd, which answers what it does not like by itself, in HTML: whatever passes here it takes.
enum HeadSyntax {
    /// The longest head, its blank line included.
    static let longestHead = 16 * 1024
    /// Header lines, pairs of the query and cookies: for each libmicrohttpd takes 64 bytes of `Limits.connectionMemory`.
    private static let mostParts = 256

    /// Throws the answer to a head that is not as it must be; `head` ends with its blank line.
    static func check(_ head: ArraySlice<UInt8>) throws(Problem) {
        let lines = try lines(of: head)
        let minorVersion = try HeadSyntax.minorVersion(of: lines[0])
        var framing = BodyFraming()
        var hostCount = 0
        for line in lines.dropFirst() {
            let (name, value) = try field(line)
            try framing.note(name: name, value: value)
            if name == "host" { hostCount += 1 }
        }
        try checkHost(hostCount, minorVersion: minorVersion)
        try framing.check(minorVersion: minorVersion)
        let separators: Set<UInt8> = [UInt8(ascii: "\n"), UInt8(ascii: "&"), UInt8(ascii: ";")]
        guard head.count(where: separators.contains) <= mostParts else { throw .headTooLarge }
    }

    /// One in HTTP/1.1, whatever it says, and never two (RFC 9112, 3.2).
    private static func checkHost(_ count: Int, minorVersion: UInt8) throws(Problem) {
        guard count <= 1 else { throw .malformedHead("there is more than one Host") }
        guard count == 1 || minorVersion == 0 else { throw .malformedHead("there is no Host, which HTTP/1.1 wants") }
    }

    /// The lines before the blank one, without their ends; one at least.
    private static func lines(of head: ArraySlice<UInt8>) throws(Problem) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        for line in head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard line.last == UInt8(ascii: "\r") else { throw .malformedHead("a line does not end with CR and LF") }
            lines.append(line.dropLast())
        }
        guard lines.popLast()?.isEmpty == true, let first = lines.first, !first.isEmpty else {
            throw .malformedHead("the request line is missing")
        }
        guard lines.joined().allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
            throw .malformedHead("the head has a control character")
        }
        return lines
    }

    /// Judges `METHOD SP target SP HTTP/1.x`, and returns the x.
    ///
    /// What the target may be is `RequestTarget`'s matter.
    private static func minorVersion(of line: ArraySlice<UInt8>) throws(Problem) -> UInt8 {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty, !parts[1].contains(UInt8(ascii: "\t")) else {
            throw .malformedHead("the request line is not method, target and version with one space between")
        }
        let version = Array(parts[2])
        guard version.count == 8, version.starts(with: "HTTP/".utf8), isDigit(version[5]),
            version[6] == UInt8(ascii: "."), isDigit(version[7])
        else { throw .malformedHead("the version is not HTTP/1.0 or HTTP/1.1") }
        guard version[5] == UInt8(ascii: "1") else { throw .otherVersion }
        return version[7] - UInt8(ascii: "0")
    }

    /// The value keeps spaces at its end: libmicrohttpd does, too, and so understands no length that has some.
    private static func field(_ line: ArraySlice<UInt8>) throws(Problem) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
            throw .malformedHead("a header line is not a name, a colon and a value")
        }
        let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenByte) }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "!"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// How long the body is, as the head says (RFC 9112, section 6).
private struct BodyFraming {
    private var length: String?
    private var codings: [String] = []

    mutating func note(name: String, value: String) throws(Problem) {
        if name == "content-length" {
            guard length == nil else { throw .malformedHead("there is more than one Content-Length") }
            length = value
        } else if name == "transfer-encoding" {
            codings += value.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.lowercased().trimmingPrefix { $0 == " " || $0 == "\t" }.description
            }
        }
    }

    func check(minorVersion: UInt8) throws(Problem) {
        if let length {
            guard codings.isEmpty else { throw .malformedHead("there is a Content-Length beside a Transfer-Encoding") }
            guard !length.isEmpty, length.utf8.allSatisfy(isDigit) else {
                throw .malformedHead("the Content-Length is no number")
            }
            guard Int64(length) != nil else { throw .bodyTooLarge(limit: .max) }
        }
        guard let last = codings.last else { return }
        guard minorVersion > 0 else { throw .malformedHead("HTTP/1.0 has no Transfer-Encoding") }
        guard last == "chunked" else { throw .malformedHead("the last transfer coding is not 'chunked'") }
        guard codings.count == 1 else { throw .otherCoding }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
