package import FoundationEssentials

/// What a clock on the wall said, wherever the wall was: a date and a time without a zone.
///
/// In JSON `2019-01-02T03:04:05.120000`, which is RFC 3339 without its offset.
package struct CivilTime: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00 on the same wall.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Nil where the calendar has no such day, or the day no such time.
    package init?(text: String) {
        guard text.utf8.count >= 19, let read = Date(rfc3339: text + "Z") else { return nil }
        microseconds = read.microseconds
    }

    /// The wall clock that is `offset` seconds ahead of UTC.
    package init(of instant: Date, offset: Int) { microseconds = instant.microseconds + Int64(offset) * 1_000_000 }

    package var text: String { String(Date(microseconds: microseconds).rfc3339.dropLast()) }

    /// `2019-01-02`: the photo's own day.
    package var day: String { String(text.prefix(10)) }

    /// When a wall that is `offset` seconds ahead of UTC shows it.
    package func instant(offset: Int) -> Date { Date(microseconds: microseconds - Int64(offset) * 1_000_000) }
}

extension CivilTime: Comparable {
    package static func < (left: CivilTime, right: CivilTime) -> Bool { left.microseconds < right.microseconds }
}

extension CivilTime: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = CivilTime(text: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is no civil time"))
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
