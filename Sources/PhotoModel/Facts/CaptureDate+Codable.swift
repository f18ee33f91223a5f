import FoundationEssentials

/// In JSON the three readings of one moment stand beside each other: `instant`, `offset`, `localTime`.
extension CaptureDate: Codable {
    private enum Key: String, CodingKey {
        case instant, offset, localTime, precision, source
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let time = try container.decodeIfPresent(CivilTime.self, forKey: .localTime)
        let offset = try container.decodeIfPresent(Int.self, forKey: .offset)
        let moment: CaptureMoment =
            switch (time, offset) {
            case (let time?, let offset?): .zoned(time, offset: offset)
            case (let time?, nil): .local(time)
            default: .instant(try container.decode(Date.self, forKey: .instant))
            }
        self.init(
            moment, precision: try container.decode(CapturePrecision.self, forKey: .precision),
            source: try container.decode(CaptureDateSource.self, forKey: .source))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(instant, forKey: .instant)
        try container.encodeIfPresent(offset, forKey: .offset)
        try container.encodeIfPresent(localTime, forKey: .localTime)
        try container.encode(precision, forKey: .precision)
        try container.encode(source, forKey: .source)
    }
}
