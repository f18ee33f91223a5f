import MediaFacts

/// What a file says of itself beside what the manifest says of it.
struct ManifestComparison {
    private let path: String
    private let columns: [String: String]
    private let facts: FileFacts
    private(set) var deviations: [Deviation] = []

    init(_ path: String, _ columns: [String: String], _ facts: FileFacts) {
        self.path = path
        self.columns = columns
        self.facts = facts
        compareShape()
        compareVideo()
        compareTags()
        compareDate()
    }

    private func told(_ tags: [Tag]) -> String { tags.lazy.compactMap { facts.tags[$0] }.first ?? "" }

    private func expected(_ column: String) -> String { columns[column] ?? "" }

    private mutating func expect(_ column: String, _ told: String, _ isRight: (String) -> Bool) {
        let expected = expected(column)
        guard !expected.isEmpty, !isRight(expected) else { return }
        deviations.append(Deviation(path: path, column: column, told: told))
    }

    /// The manifest has the size of some pictures turned, of others not: either will do where the container turns.
    private mutating func compareShape() {
        let size = facts.codedSize
        let turned = (facts.containerOrientation ?? 1) >= 5
        expect("width", size.map { "\($0.width)" } ?? "") { [size] width in
            size.map { [$0.width, turned ? $0.height : $0.width].contains(Int(width)) } ?? false
        }
        expect("height", size.map { "\($0.height)" } ?? "") { [size] height in
            size.map { [$0.height, turned ? $0.width : $0.height].contains(Int(height)) } ?? false
        }
        expect("frames", facts.frameCount.map { "\($0)" } ?? "") { [facts] in Int($0) == facts.frameCount }
        let own = told([.orientation, .xmpOrientation])
        let container = facts.containerOrientation ?? 1
        expect("orientation", own) { expected in
            let rotations = ["rotation 0": 1, "rotation 90": 6, "rotation 180": 3, "rotation 270": 8]
            return rotations[expected].map { $0 == container } ?? (expected == own)
        }
    }

    private mutating func compareVideo() {
        let duration = facts.duration
        expect("duration_s", duration.map { "\($0)" } ?? "") { expected in
            duration.map { abs($0 - (Double(expected) ?? .nan)) <= 0.05 } ?? false
        }
        let rate = facts.videoStream?.frameRate
        expect("fps", rate.map { "\($0)" } ?? "") { expected in
            rate.map { abs($0 - (Double(expected) ?? .nan)) <= 0.1 } ?? false
        }
        let codec = facts.videoStream?.codec ?? ""
        expect("video_codec", codec) { $0 == codec }
    }

    private mutating func compareTags() {
        let tags: [(column: String, tags: [Tag])] = [
            ("make", [.make, .quickTimeMake, .xmpMake]), ("model", [.model, .quickTimeModel, .xmpModel]),
            ("lens", [.lensModel, .quickTimeLensModel, .xmpLens]),
            ("content_id", [.appleContentIdentifier, .quickTimeContentIdentifier]),
            ("burst_id", [.appleBurstUUID, .burstID]),
        ]
        for (column, tags) in tags {
            let told = told(tags)
            expect(column, told) { $0 == told }
        }
    }

    /// The digits of the tag that the manifest's date comes from, written one after the other.
    private mutating func compareDate() {
        let told = dateTold(expected("date_tag"))
        let digits = ManifestComparison.digits(of: told)
        expect("capture_date", told) { expected in
            let expected = ManifestComparison.digits(of: expected)
            // The manifest leaves out zeros at the end of a second's fraction, and a movie's.
            return digits == expected || !digits.isEmpty && digits.hasPrefix(expected)
        }
    }

    private func dateTold(_ source: String) -> String {
        switch source {
        case "ExifIFD:DateTimeOriginal", "CanonRaw:DateTimeOriginal": told([.dateTimeOriginal])
        case "XMP-xmp:CreateDate": told([.xmpCreateDate])
        case "XMP-exif:GPSDateTime": told([.xmpGPSDateTime])
        case "Keys:CreationDate": told([.quickTimeCreationDate])
        case "H264:DateTimeOriginal", "RIFF:DateTimeOriginal": told([.containerDate])
        case "Composite:SubSecDateTimeOriginal":
            told([.dateTimeOriginal]) + (facts.tags[.subSecTimeOriginal].map { ".\($0)" } ?? "")
                + told([.offsetTimeOriginal])
        default: source.hasPrefix("QuickTime:CreateDate") ? told([.movieCreationTime]) : ""
        }
    }

    private static func digits(of text: String) -> String { text.filter(\.isNumber) }
}
