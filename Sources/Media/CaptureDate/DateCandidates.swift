import FoundationEssentials
import MediaFacts
import PhotoModel

/// One date that a file, a sidecar or a name offers, as it is written.
struct DateCandidate {
    var source: CaptureDateSource
    var text: String
    /// How it reads; nil where it does not.
    var moment: CaptureMoment?
    var precision: CapturePrecision

    /// A date with a zone, or on a wall somewhere.
    init(_ source: CaptureDateSource, _ text: String, fraction: String? = nil, zone: String? = nil) {
        (self.source, self.text) = (source, text)
        let read = DateText(fraction.map { "\(text).\($0)" } ?? text) ?? DateText(text)
        precision = read?.precision ?? .second
        let offset = read?.offset ?? zone.flatMap(DateText.offset)
        moment = read.map { read in
            precision >= .minute && offset != nil ? .zoned(read.time, offset: offset ?? 0) : .local(read.time)
        }
    }

    init(_ source: CaptureDateSource, instant: Date) {
        (self.source, text, moment, precision) = (source, instant.rfc3339, .instant(instant), .second)
    }

    init(_ source: CaptureDateSource, _ text: String, _ moment: CaptureMoment?, _ precision: CapturePrecision) {
        (self.source, self.text, self.moment, self.precision) = (source, text, moment, precision)
    }

    /// A date that by its definition is UTC, whether it says so or not.
    static func utc(_ source: CaptureDateSource, _ text: String) -> DateCandidate {
        let read = DateText(text)
        let moment = read.map { CaptureMoment.instant($0.time.instant(offset: $0.offset ?? 0)) }
        return DateCandidate(source, text, read?.precision == .second ? moment : nil, .second)
    }
}

extension FactEvidence {
    /// Every date on offer, best first: the order of `CaptureDateSource`.
    var dateCandidates: [DateCandidate] {
        let tags = file.tags
        let sidecar = xmpSidecar.ownDateCandidates.map {
            DateCandidate(.xmpSidecar, $0.text, $0.moment, $0.precision)
        }
        let others = [
            takeoutSidecar?.photoTaken.map { DateCandidate(.takeoutSidecar, instant: $0) },
            name.flatMap(FilenameDate.init).map { DateCandidate(.filename, $0.text, $0.moment, $0.precision) },
            tags.text(.dateTime).map { DateCandidate(.dateTime, $0, zone: tags.text(.offsetTime)) },
            modified.map { DateCandidate(.modificationDate, instant: $0) },
        ].compactMap { $0 }
        return tags.ownDateCandidates + sidecar + others
    }
}

extension [Tag: String] {
    /// Each offset goes with its own date alone: OffsetTime is that of the last change, perhaps in another zone.
    var ownDateCandidates: [DateCandidate] {
        [
            text(.dateTimeOriginal).map {
                DateCandidate(
                    .dateTimeOriginal, $0, fraction: text(.subSecTimeOriginal), zone: text(.offsetTimeOriginal))
            },
            gpsCandidate,
            text(.quickTimeCreationDate).map { DateCandidate(.quickTimeCreationDate, $0) },
            text(.movieCreationTime).map { .utc(.movieCreationTime, $0) },
            text(.containerDate).map { DateCandidate(.containerDate, $0) },
            text(.xmpDateTimeOriginal).map { DateCandidate(.xmpDateTimeOriginal, $0) },
            text(.xmpDateCreated).map { DateCandidate(.xmpDateCreated, $0) },
            text(.dateTimeDigitized).map {
                DateCandidate(
                    .dateTimeDigitized, $0, fraction: text(.subSecTimeDigitized), zone: text(.offsetTimeDigitized))
            },
            text(.xmpCreateDate).map { DateCandidate(.xmpCreateDate, $0) },
            text(.xmpGPSDateTime).map { .utc(.xmpGPSTime, $0) },
        ].compactMap { $0 }
    }

    /// EXIF 2.32, 4.6.6: the date as text, the time as three rationals, both UTC.
    private var gpsCandidate: DateCandidate? {
        guard let date = text(.gpsDateStamp), let time = text(.gpsTimeStamp) else { return nil }
        let written = "\(date) \(time)"
        guard let day = DateText(date), day.precision == .day, let parts = numbers(.gpsTimeStamp), parts.count == 3,
            parts[0] < 24, parts[1] < 60, parts[2] < 60
        else { return DateCandidate(.gpsTime, written, nil, .second) }
        let microseconds = (parts[0] * 3600 + parts[1] * 60 + parts[2]) * 1_000_000
        let instant = Date(microseconds: day.time.microseconds + Int64(microseconds.rounded()))
        return DateCandidate(.gpsTime, written, .instant(instant), .second)
    }
}
