/// The target of a request line, taken apart (RFC 9112 section 3.2): `/v1/assets?limit=10`.
///
/// Strict on purpose (RULES R48, CASES X08): a path has no escapes, so that no two spellings name one thing and
/// `%2F`, `%00` and `%2e%2e` mean nothing.
struct RequestTarget: Equatable {
    struct Malformed: Error, Equatable {
        let reason: String
    }

    let path: String
    let query: [String: String]

    init(_ bytes: [UInt8]) throws(Malformed) {
        let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = try Self.path(parts[0])
        query = parts.count > 1 ? try Self.query(parts[1]) : [:]
    }

    private static func path(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard bytes.first == UInt8(ascii: "/") else { throw Malformed(reason: "the path does not begin with a slash") }
        for byte in bytes {
            guard byte > 0x20, byte < 0x7F else { throw Malformed(reason: "the path is not plain ASCII") }
            guard byte != UInt8(ascii: "%") else { throw Malformed(reason: "the path has a percent escape") }
        }
        for segment in bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard !segment.elementsEqual("..".utf8), !segment.elementsEqual(".".utf8) else {
                throw Malformed(reason: "the path has a '.' or '..' segment")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func query(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> [String: String] {
        var query: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let key = try text(parts[0])
            let value = parts.count > 1 ? try text(parts[1]) : ""
            guard query.updateValue(value, forKey: key) == nil else {
                throw Malformed(reason: "the query gives a key twice")
            }
        }
        return query
    }

    /// Undoes `application/x-www-form-urlencoded` (WHATWG URL): `%XX` is a byte, `+` a space.
    private static func text(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"): decoded.append(try escaped(&rest))
            case 0x21..<0x7F: decoded.append(byte)
            default: throw Malformed(reason: "the query is not plain ASCII")
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw Malformed(reason: "the query is not UTF-8")
        }
        return text
    }

    private static func escaped(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> UInt8 {
        let digits = rest.prefix(2)
        rest = rest.dropFirst(2)
        guard digits.count == 2, let high = hexadecimal(digits[digits.startIndex]),
            let low = hexadecimal(digits[digits.startIndex + 1])
        else { throw Malformed(reason: "the query has a broken percent escape") }
        guard high + low > 0 else { throw Malformed(reason: "the query has a NUL") }
        return high << 4 | low
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
