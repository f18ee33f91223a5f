/// The SHA-256 of an original's bytes: its name in the library and in the cloud.
package struct ContentHash: Hashable, Sendable {
    // The digest in order, its first byte highest, so that comparing words compares bytes.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Nil unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// Reads 64 digits in lower case, as `sha256sum` writes them; nil for anything else.
    package init?(hexadecimal: some StringProtocol) {
        let digits = Array(hexadecimal.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = value(ofDigit: digits[index]), let low = value(ofDigit: digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(bytes: bytes)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    /// 64 digits in lower case.
    package var hexadecimal: String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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

private let digits = Array("0123456789abcdef".utf8)

private func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
}
