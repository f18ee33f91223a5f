package import FoundationEssentials

/// An instant as text and as a number: UTC, microseconds, one form everywhere (RFC 3339).
extension Date {
    /// Microseconds since 1970-01-01 UTC: how the catalogue stores an instant.
    package var microseconds: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }

    package init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }

    /// `2026-11-30T02:01:09.250000Z`.
    package var rfc3339: String {
        let (days, rest) = microseconds.floorDivided(by: 86_400_000_000)
        let (year, month, day) = civil(fromDays: days)
        let (seconds, fraction) = rest.floorDivided(by: 1_000_000)
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time).\(padded(fraction, 6))Z"
    }

    /// Reads RFC 3339 with any offset; nil where the text is no instant.
    package init?(rfc3339 text: String) {
        guard let date = Date.read(text) else { return nil }
        self = date
    }

    private static func read(_ text: String) -> Date? {
        let fields = text.split(separator: ".", maxSplits: 1)
        guard fields.count == 2 else { return try? Date(text, strategy: .iso8601) }
        let digits = fields[1].prefix { $0.isASCII && $0.isNumber }
        let zone = fields[1].dropFirst(digits.count)
        guard let fraction = Double("0." + digits), let whole = try? Date(fields[0] + zone, strategy: .iso8601) else {
            return nil
        }
        return Date(microseconds: whole.microseconds + Int64((fraction * 1_000_000).rounded()))
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

private func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// The proleptic Gregorian date of a day number: counts from 1 March of year 0 in eras of 400 years, so that the
/// leap day is the last of its year.
private func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).floorDivided(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}
