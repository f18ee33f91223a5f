/// A number of bytes as a person writes it: `20GB`, `500MB`, `1.5TB`, or without a unit.
///
/// Units are powers of 1,000, as disks are sold and `albumctl` shows.
package enum ByteCountText {
    private static let factors: [String: Double] = [
        "": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15,
    ]

    /// What may be written, for messages.
    package static let units = "B, kB, MB, GB, TB or PB"

    /// Nil where the text is no such number.
    package static func parse(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.count <= 15, let number = Double(digits),
            let factor = factors[String(text.dropFirst(digits.count))]
        else { return nil }
        let value = number * factor
        return value < 1e18 ? Int64(value) : nil
    }
}
