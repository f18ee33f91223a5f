/// Reads JSON to the letter of RFC 8259, and refuses what it leaves to chance: an object that has a key twice.
///
/// A problem names line and column, counted in bytes from 1.
struct JSONReader {
    private static let mostNested = 32

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    static func read(_ bytes: [UInt8]) throws(Problem) -> JSONTree {
        var reader = JSONReader(bytes: bytes)
        let tree = try reader.value()
        reader.skipSpace()
        guard reader.place == bytes.count else { throw reader.fault("nothing may follow the value") }
        return tree
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ what: String) -> Problem {
        let before = bytes[..<min(place, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        return .badRequest("the body is no JSON: line \(line), column \(column): \(what)")
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(Problem) -> JSONTree {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try nested { reader throws(Problem) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Problem) in try reader.list() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("it ends too early")
        default: return try number()
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(Problem) -> JSONTree
    ) throws(Problem) -> JSONTree {
        guard depth < Self.mostNested else { throw fault("it is nested deeper than \(Self.mostNested)") }
        depth += 1
        defer { depth -= 1 }
        place += 1
        return try body(&self)
    }

    private mutating func object() throws(Problem) -> JSONTree {
        var members: [String: JSONTree] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a key in quotes is wanted") }
            let start = place
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon is wanted after the key") }
            let value = try value()
            if members.updateValue(value, forKey: key) != nil {
                place = start
                throw fault("the key \(JSONTree.string(key).shown) is there twice")
            }
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("a comma or the object's end is wanted") }
        return .object(members)
    }

    private mutating func list() throws(Problem) -> JSONTree {
        var elements: [JSONTree] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .list(elements) }
        repeat {
            elements.append(try value())
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a comma or the list's end is wanted") }
        return .list(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSONTree) throws(Problem) -> JSONTree {
        let wanted = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[place...].starts(with: wanted) else { throw fault("no value begins like this") }
        place += wanted.count
        return value
    }

    /// `-`, digits without a zero before others, a fraction, an exponent.
    private mutating func number() throws(Problem) -> JSONTree {
        let start = place
        _ = take(UInt8(ascii: "-"))
        let hasLeadingZero = next == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, whole == 1 || !hasLeadingZero else { throw fault("no value begins like this") }
        if take(UInt8(ascii: ".")), digits() == 0 { throw fault("a digit is wanted") }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            if digits() == 0 { throw fault("a digit is wanted") }
        }
        return .number(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func digits() -> Int {
        let start = place
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
        return place - start
    }

    private mutating func string() throws(Problem) -> String {
        place += 1
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw fault("a control character in a string is written as \\u and four digits") }
            place += 1
            if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
        }
        guard take(UInt8(ascii: "\"")) else { throw fault("a string has no end") }
        guard let string = String(validating: text, as: UTF8.self) else { throw fault("a string is not UTF-8") }
        return string
    }

    private mutating func escaped() throws(Problem) -> [UInt8] {
        guard let byte = next else { throw fault("a string has no end") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
        default: throw fault("there is no such escape")
        }
    }

    /// After `\u`; of a pair of surrogates both.
    private mutating func scalar() throws(Problem) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw fault("half a surrogate pair is no character")
        }
        let second = try unit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw fault("half a surrogate pair is no character") }
        return scalar
    }

    private mutating func unit() throws(Problem) -> UInt16 {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("\\u wants four digits") }
        place += 4
        return unit
    }
}
