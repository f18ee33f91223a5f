import FoundationEssentials
import PhotoModel

/// Reads a date as EXIF, XMP, QuickTime and video containers write it.
///
/// `2019:07:04 16:24:01`, `2019-07-04T16:24:01.5+02:00`, `2019-07`, `2009/10/27 12:14:34`,
/// `2024-04-22T14:38:09GMT+02:00` and what lies between them; seconds and the time can be missing.
struct DateText {
    private(set) var time: CivilTime
    private(set) var precision: CapturePrecision
    /// Seconds ahead of UTC, where it is written.
    private(set) var offset: Int?

    /// Nil where it is no date of the calendar and no time of the clock.
    init?(_ text: String) {
        var rest = Digits(text)
        guard let year = rest.number(4...4) else { return nil }
        var (parts, precision, read) = ([1, 1, 0, 0, 0], CapturePrecision.year, 0)
        let steps: [(separators: String, precision: CapturePrecision)] = [
            (":-/.", .month), (":-/.", .day), ("T /t", .minute), (":", .minute), (":", .second),
        ]
        for (index, step) in steps.enumerated() {
            guard rest.take(step.separators) else { break }
            rest.skipSpaces()
            guard let number = rest.number(1...2) else { return nil }
            parts[index] = number
            (precision, read) = (step.precision, index + 1)
        }
        // An hour without its minute is no time, and behind a day without a time nothing can follow.
        guard read != 3, precision >= .minute || rest.isAtEnd else { return nil }
        let fraction = precision == .second ? rest.fraction() : ""
        offset = rest.offset()
        guard rest.isAtEnd, let time = CivilTime(year, parts, fraction) else { return nil }
        self.time = time
        self.precision = precision
    }

    /// A zone alone, as EXIF's OffsetTime tags have it: seconds ahead of UTC.
    static func offset(_ text: String) -> Int? {
        var rest = Digits(text)
        guard let offset = rest.offset(), rest.isAtEnd else { return nil }
        return offset
    }
}

extension CivilTime {
    /// Nil where the calendar or the clock has none such; `parts` are month, day, hour, minute, second.
    init?(_ year: Int, _ parts: [Int], _ fraction: String = "") {
        guard parts.count == 5, parts[4] < 60 else { return nil }
        let two = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let four = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
        let micros = fraction.isEmpty ? "" : ".\(fraction.prefix(6))"
        self.init(text: "\(four)-\(two[0])-\(two[1])T\(two[2]):\(two[3]):\(two[4])\(micros)")
    }
}

/// A cursor over ASCII.
private struct Digits {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ characters: String) -> Bool {
        guard let next = rest.first, characters.utf8.contains(next) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func skipSpaces() { while take(" ") {} }

    mutating func number(_ length: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { isDigit($0) }
        guard length.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return Int(Substring(digits))
    }

    /// The digits behind a point; empty where there are none.
    mutating func fraction() -> String {
        guard take(".") else { return "" }
        let digits = rest.prefix { isDigit($0) }
        rest = rest.dropFirst(digits.count)
        return String(Substring(digits))
    }

    /// `Z`, `+02:00`, `-0700`, `+02`, `GMT+02:00`; no place on earth is 15 hours from UTC.
    mutating func offset() -> Int? {
        skipSpaces()
        if take("Zz") { return 0 }
        let hadName = ["GMT", "UTC"].contains { name in takeWord(name) }
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return hadName ? 0 : nil
        }
        rest = rest.dropFirst()
        let digits = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ":") }
        let parts = Substring(digits).filter { $0 != ":" }
        guard parts.count == 2 || parts.count == 4, let hours = Int(parts.prefix(2)),
            let minutes = Int("0" + parts.dropFirst(2)), hours <= 14, minutes < 60
        else { return nil }
        rest = rest.dropFirst(digits.count)
        return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
