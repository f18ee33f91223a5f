import PhotoModel
import Platform

/// What the end of a line of the journal says of the rest of it.
///
/// The last key, `,"sum":"<16 digits>"}`, is the first eight bytes of the SHA-256 of the line without it, which is the
/// text that the history has. A flipped bit may leave JSON that says something else, and is found by it.
package enum LineSum: Sendable, Equatable {
    /// It ends with its changes, as an albumd wrote it that knew no sum.
    case absent
    case right
    /// There is a sum, of another text: the line is damaged.
    case wrong
    /// It ends as no line does: a crash left half of it, or its end is damaged.
    case torn

    package init(of line: ArraySlice<UInt8>) {
        if line.suffix(2).elementsEqual("]}".utf8) {
            self = .absent
        } else if let found = LineSum.written(in: line) {
            self = found.elementsEqual(LineSum.digits(of: line.dropLast(LineSum.byteCount))) ? .right : .wrong
        } else {
            self = .torn
        }
    }

    /// Of the key, its value, and the brace that ends the line.
    static let byteCount = key.count + digitCount + end.count

    private static let key = Array(#","sum":""#.utf8)
    private static let digitCount = 16
    private static let end = Array(#""}"#.utf8)

    /// The digits at a line's end, whatever they say; nil where there are none.
    static func written(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let ending = line.suffix(byteCount)
        let digits = ending.dropFirst(key.count).prefix(digitCount)
        guard ending.count == byteCount, ending.starts(with: key), ending.suffix(end.count).elementsEqual(end),
            digits.allSatisfy(isDigit)
        else { return nil }
        return digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Of a text, given without the brace that ends it.
    static func digits(of open: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var hasher = ContentHasher()
        open.withUnsafeBytes { hasher.update($0) }
        [UInt8(ascii: "}")].withUnsafeBytes { hasher.update($0) }
        guard let hash = ContentHash(bytes: hasher.finish()) else { preconditionFailure("SHA-256 has 32 bytes") }
        return hash.hexadecimalBytes.prefix(digitCount)
    }

    /// A text with its sum as the last key.
    package static func sealed(_ text: String) -> String {
        let open = Array(text.utf8).dropLast()
        return String(decoding: open + key + digits(of: open) + end, as: UTF8.self)
    }
}

extension LineSum {
    /// Whether what it stands at the end of may be applied.
    var isGood: Bool { self == .absent || self == .right }
}

extension HistoryLine {
    /// The line of the journal: that of the feed, and its sum.
    package var journalText: String { LineSum.sealed(json) }

    /// The same, without the sum where what is read from the history would not be written to the very same text: it would
    /// vouch for it.
    package var vouchedText: String { isWhole ? journalText : json }

    /// Whether these bytes are this change's line of the journal, with its sum or, of an older albumd, without one.
    package func isWritten(as bytes: ArraySlice<UInt8>) -> Bool {
        isSealed(as: bytes) || bytes == Array(json.utf8)[...]
    }

    /// The same, with its sum.
    package func isSealed(as bytes: ArraySlice<UInt8>) -> Bool {
        bytes.dropLast(LineSum.byteCount) == Array(json.utf8).dropLast() && LineSum(of: bytes) == .right
    }

    /// How much longer a line is by its sum: the brace was there before.
    package static let sumByteCount = LineSum.byteCount - 1
}
