/// The SHA-256 of an original's bytes: its name in the library and in the cloud.
package struct ContentHash: Hashable, Sendable {
    // The digest in order, its first byte highest, so that comparing words compares bytes.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard let hash = bytes.withUnsafeBytes(ContentHash.init(raw:)) else { return nil }
        self = hash
    }

    /// The same from where they lie, without a copy: every row that a start or a scan reads has one.
    package init?(raw bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// Reads 64 digits in lower case, as `sha256sum` writes them; nil for anything else.
    package init?(hexadecimal: some StringProtocol) {
        self.init(digits: Array(hexadecimal.utf8)[...])
    }

    /// The same where they are bytes of a name.
    package init?(digits: ArraySlice<UInt8>) {
        guard let hash = digits.withUnsafeBytes(ContentHash.init(rawDigits:)) else { return nil }
        self = hash
    }

    /// The same from where they lie.
    package init?(rawDigits digits: UnsafeRawBufferPointer) {
        guard digits.count == 64 else { return nil }
        func word(_ index: Int) -> UInt64? {
            var word: UInt64 = 0
            for digit in digits[(index * 16)..<(index * 16 + 16)] {
                guard let value = value(ofDigit: digit) else { return nil }
                word = word << 4 | UInt64(value)
            }
            return word
        }
        guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3) else { return nil }
        words = (first, second, third, fourth)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        let words = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return withUnsafeBytes(of: words) { Array($0) }
    }

    /// 64 digits in lower case.
    package var hexadecimal: String { String(decoding: hexadecimalBytes, as: UTF8.self) }

    /// The key of an original's object in every store: `ab/<digits>`.
    package var objectKey: String {
        let digits = hexadecimal
        return "\(digits.prefix(2))/\(digits)"
    }

    /// The digits as bytes of a name.
    package var hexadecimalBytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 64) { digits, count in
            for (index, byte) in bytes.enumerated() {
                digits[index * 2] = digit(of: byte >> 4)
                digits[index * 2 + 1] = digit(of: byte & 15)
            }
            count = 64
        }
    }

    package static func == (left: ContentHash, right: ContentHash) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension ContentHash: Comparable {
    /// In the order of their bytes, which is that of their digits.
    package static func < (left: ContentHash, right: ContentHash) -> Bool { left.words < right.words }
}

extension ContentHash: CustomStringConvertible {
    package var description: String { hexadecimal }
}

private func digit(of value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

private func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
}
