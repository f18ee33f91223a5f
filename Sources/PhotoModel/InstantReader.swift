/// Reads one instant of RFC 3339: `2026-11-30T02:01:09Z`, with a fraction of any length and any offset.
///
/// Foundation's own reader follows the Julian calendar before 1582, which RFC 3339 does not.
struct InstantReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    /// Microseconds since 1970-01-01 UTC; nil where the text is no instant.
    ///
    /// A fraction is rounded.
    mutating func read() -> Int64? {
        guard let day = readDay(), take("Tt ") != nil, let time = readTime(), let fraction = readFraction(),
            let offset = readOffset(), rest.isEmpty
        else { return nil }
        return (day * 86_400 + time - offset) * 1_000_000 + fraction
    }

    /// Days since 1970-01-01.
    private mutating func readDay() -> Int64? {
        guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil, let day = number(2),
            (1...12).contains(month), day >= 1, day <= length(ofMonth: month, in: year)
        else { return nil }
        return days(fromYear: year, month: month, day: day)
    }

    /// Seconds of the day; a leap second counts as the first of the next minute.
    private mutating func readTime() -> Int64? {
        guard let hour = number(2), take(":") != nil, let minute = number(2), take(":") != nil,
            let second = number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Microseconds; 0 where no fraction is written.
    private mutating func readFraction() -> Int64? {
        guard take(".") != nil else { return 0 }
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        guard !digits.isEmpty else { return nil }
        let padded = Array(digits.prefix(7)) + [UInt8](repeating: zero, count: max(0, 7 - digits.count))
        let tenths = padded.reduce(0) { $0 * 10 + Int64($1 - zero) }
        return (tenths + 5) / 10
    }

    /// Seconds that the local time is ahead of UTC.
    private mutating func readOffset() -> Int64? {
        guard take("Zz") == nil else { return 0 }
        guard let sign = take("+-"), let hours = number(2), take(":") != nil, let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private mutating func number(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - zero) }
    }

    /// Takes the next character if it is one of these.
    private mutating func take(_ characters: String) -> UInt8? {
        guard let next = rest.first, characters.utf8.contains(next) else { return nil }
        rest = rest.dropFirst()
        return next
    }
}

private let zero = UInt8(ascii: "0")

private func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= UInt8(ascii: "9") }

private func length(ofMonth month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}
