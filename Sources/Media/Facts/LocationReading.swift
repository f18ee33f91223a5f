import MediaFacts
package import PhotoModel

/// Where tags say that a picture was taken; a malformed place is none.
extension [Tag: String] {
    var location: Location? { exifLocation ?? quickTimeLocation ?? xmpLocation }

    /// EXIF 2.32, 4.6.6: degrees, minutes and seconds as rationals, and the hemisphere beside them.
    ///
    /// Without a hemisphere there is no place: half of the earth would be a guess.
    private var exifLocation: Location? {
        guard let latitude = degrees(.gpsLatitude, .gpsLatitudeRef, positive: "N", negative: "S"),
            let longitude = degrees(.gpsLongitude, .gpsLongitudeRef, positive: "E", negative: "W")
        else { return nil }
        return Location(latitude: latitude, longitude: longitude, altitude: exifAltitude)
    }

    private func degrees(_ tag: Tag, _ hemisphere: Tag, positive: Character, negative: Character) -> Double? {
        guard let parts = numbers(tag), let degrees = Sexagesimal(parts)?.value,
            let letter = text(hemisphere)?.uppercased().first, letter == positive || letter == negative
        else { return nil }
        return letter == negative ? -degrees : degrees
    }

    /// Reference 1 is below the sea, as is EXIF 3.0's 3.
    private var exifAltitude: Double? {
        guard let metres = number(.gpsAltitude) else { return nil }
        return ["1", "3"].contains(text(.gpsAltitudeRef)) ? -metres : metres
    }

    /// Apple's key, else the older note that Android writes.
    private var quickTimeLocation: Location? {
        [Tag.quickTimeLocation, .quickTimeLocationNote].lazy
            .compactMap { text($0).flatMap { Location(iso6709: $0) } }.first
    }

    private var xmpLocation: Location? {
        guard let latitude = text(.xmpGPSLatitude).flatMap({ xmpDegrees($0, positive: "N", negative: "S") }),
            let longitude = text(.xmpGPSLongitude).flatMap({ xmpDegrees($0, positive: "E", negative: "W") })
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }
}

/// Degrees with up to two sixtieths behind them.
private struct Sexagesimal {
    let value: Double

    /// Nil where there is no part, or more than three, or a sixtieth of more than sixty.
    init?(_ parts: [Double]) {
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0.isFinite && $0 >= 0 }),
            parts.dropFirst().allSatisfy({ $0 <= 60 })
        else { return nil }
        value = zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    }
}

/// `51,30,26N` or `51,30.433N` (XMP specification part 2, 1.2.7.4); also a plain number with or without the letter.
private func xmpDegrees(_ text: String, positive: Character, negative: Character) -> Double? {
    guard let last = text.last?.uppercased().first else { return nil }
    guard last == positive || last == negative else { return Double(text).flatMap { $0.isFinite ? $0 : nil } }
    let words = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    let parts = words.compactMap { Double($0) }
    guard parts.count == words.count, let degrees = Sexagesimal(parts)?.value else { return nil }
    return last == negative ? -degrees : degrees
}

extension Location {
    /// `+34.0100-118.5000+018.150/` (ISO 6709:2008, annex H), with or without altitude, solidus and reference system.
    ///
    /// The digits before the point tell degrees from degrees with minutes, and from those with seconds.
    package init?(iso6709 text: String) {
        var rest = text.utf8[...]
        let numbers = (0..<3).compactMap { _ in SignedDigits(taking: &rest) }
        guard numbers.count >= 2, rest.first.map({ "/C".utf8.contains($0) }) ?? true,
            let latitude = numbers[0].degrees(wholeDigits: 2), let longitude = numbers[1].degrees(wholeDigits: 3)
        else { return nil }
        self.init(
            latitude: latitude, longitude: longitude, altitude: numbers.count == 3 ? numbers[2].value : nil)
    }
}

/// A sign, digits, and perhaps a fraction.
private struct SignedDigits {
    private let isNegative: Bool
    private let whole: String
    private let fraction: String

    init?(taking rest: inout Substring.UTF8View) {
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        rest = rest.dropFirst()
        isNegative = sign == UInt8(ascii: "-")
        whole = Self.digits(&rest)
        let hasPoint = rest.first == UInt8(ascii: ".")
        if hasPoint { rest = rest.dropFirst() }
        fraction = hasPoint ? Self.digits(&rest) : ""
        guard !whole.isEmpty, whole.count <= 9 else { return nil }
    }

    private static func digits(_ rest: inout Substring.UTF8View) -> String {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return String(Substring(digits))
    }

    var value: Double? { Double("\(isNegative ? "-" : "")\(whole).\(fraction)0") }

    /// `±DD.D`, `±DDMM.M` or `±DDMMSS.S`; a longitude has a digit more.
    ///
    /// Android leaves leading zeros out: `+2.4862`.
    func degrees(wholeDigits: Int) -> Double? {
        if whole.count < wholeDigits { return fraction.isEmpty ? nil : value }
        let sixtieths = whole.count - wholeDigits
        guard [0, 2, 4].contains(sixtieths) else { return nil }
        var digits = whole[...]
        var parts = [String(digits.prefix(wholeDigits))]
        digits = digits.dropFirst(wholeDigits)
        while !digits.isEmpty {
            parts.append(String(digits.prefix(2)))
            digits = digits.dropFirst(2)
        }
        parts[parts.count - 1] += ".\(fraction)0"
        return Sexagesimal(parts.compactMap { Double($0) }).map { isNegative ? -$0.value : $0.value }
    }
}
