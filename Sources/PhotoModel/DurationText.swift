/// A time as the configuration writes it: a whole number and a unit, `500ms`, `2s`, `1m`, `6h`.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// What may be written, for messages.
    package static let wanted = #"a whole number with ms, s, m or h, such as "500ms", "2s" or "1m""#

    /// Nil where the text is no time, or one longer than 100 days.
    package static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 10, let count = Int64(digits) else { return nil }
        guard let unit = units.first(where: { $0.suffix == text.dropFirst(digits.count) }) else { return nil }
        let (milliseconds, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow, milliseconds <= 100 * 24 * 3_600_000 else { return nil }
        return .milliseconds(milliseconds)
    }

    /// The shortest way to write it; parts below a millisecond are dropped.
    package static func write(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
