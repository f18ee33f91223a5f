package import FoundationEssentials

/// An instant as text and as a number: UTC, microseconds, one form everywhere (RFC 3339).
///
/// `Date` counts in binary fractions of a second from 2001. Whole seconds and the fraction are converted apart, so that
/// number to date and back is the same number, and a journal applied again gives the same rows.
extension Date {
    /// Microseconds since 1970-01-01 UTC: how the catalogue stores an instant.
    ///
    /// Held within the years 0000 to 9999, which are all that RFC 3339 can write.
    package var microseconds: Int64 {
        let instant = min(max(timeIntervalSinceReferenceDate, -1e12), 1e12)
        let seconds = instant.rounded(.down)
        let fraction = Int64(((instant - seconds) * 1_000_000).rounded())
        let whole = (Int64(seconds) + secondsFrom1970To2001) * 1_000_000 + fraction
        return min(max(whole, writable.lowerBound), writable.upperBound)
    }

    package init(microseconds: Int64) {
        let (seconds, fraction) = microseconds.floorDivided(by: 1_000_000)
        self.init(
            timeIntervalSinceReferenceDate: Double(seconds - secondsFrom1970To2001) + Double(fraction) / 1_000_000)
    }

    /// `2026-11-30T02:01:09.250000Z`.
    package var rfc3339: String {
        let (days, rest) = microseconds.floorDivided(by: 86_400_000_000)
        let (year, month, day) = civil(fromDays: days)
        let (seconds, fraction) = rest.floorDivided(by: 1_000_000)
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return String(unsafeUninitializedCapacity: 27) { text in
            var writer = DigitWriter(text: text)
            writer.write(year, digits: 4, "-")
            writer.write(month, digits: 2, "-")
            writer.write(day, digits: 2, "T")
            writer.write(hour, digits: 2, ":")
            writer.write(minute, digits: 2, ":")
            writer.write(second, digits: 2, ".")
            writer.write(fraction, digits: 6, "Z")
            return writer.count
        }
    }

    /// Reads RFC 3339 with any offset; nil where the text is no instant of the years 0000 to 9999.
    package init?(rfc3339 text: String) {
        var reader = InstantReader(text)
        guard let microseconds = reader.read(), writable.contains(microseconds) else { return nil }
        self.init(microseconds: microseconds)
    }
}

private let secondsFrom1970To2001: Int64 = 978_307_200
/// From 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z.
private let writable: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Writes numbers of a fixed width, each with what follows it: lists have four instants a row.
private struct DigitWriter {
    let text: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ value: Int64, digits: Int, _ end: Unicode.Scalar) {
        var rest = value
        for place in (count..<count + digits).reversed() {
            text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        text[count + digits] = UInt8(ascii: end)
        count += digits + 1
    }
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

/// The reverse: days since 1970-01-01.
func days(fromYear year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floorDivided(by: 400)
    let shifted = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shifted + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}
