import FoundationEssentials
import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// The corpus as other readers saw it, judged: what exiftool and ffprobe say goes in as tags, and the albums, dates and
/// sizes of the manifest have to come out.
///
/// No file is read here.
@Suite struct ManifestTests {
    @Test func everyFileIsInTheAlbumsOfTheManifestAndNoOther() {
        guard let rows = Manifest.rows() else { return }
        for row in rows where row.isMedia && !row.path.hasPrefix("bad/") {
            let membership = SmartAlbumMembership(
                of: row.facts, mediaType: row.mediaType, isLive: row.isPaired(in: rows))
            #expect(Set(membership.albums.map(\.rawValue)) == row.smart, "\(row.path)")
        }
    }

    @Test func everyDateIsTheManifests() {
        guard let rows = Manifest.rows() else { return }
        var count = 0
        for row in rows where !row.dateTags.isEmpty && !row.path.hasPrefix("bad/") {
            let facts = row.facts
            let isFuture = row["capture_date"].hasPrefix("2099")
            #expect(
                facts.captureDate?.manifestText == (isFuture ? nil : row["capture_date"].canonicalDate), "\(row.path)")
            #expect(facts.passedOverDates.map(\.doubt) == (isFuture ? [.future] : []), "\(row.path)")
            count += 1
        }
        #expect(count > 80)
    }

    @Test func everyPlaceThatIsNoneIsNone() {
        guard let rows = Manifest.rows() else { return }
        for row in rows where !row["lat"].isEmpty {
            #expect((row.facts.location == nil) == !row["gps"].hasPrefix("yes"), "\(row.path)")
        }
    }

    @Test func everySizeIsTurned() {
        guard let rows = Manifest.rows() else { return }
        for row in rows where row.mediaType == .image && !row["width"].isEmpty && !row["orientation"].isEmpty {
            let isTurned = ["5", "6", "7", "8"].contains(row["orientation"])
            #expect(row.facts.pixelWidth.map(String.init) == row[isTurned ? "height" : "width"], "\(row.path)")
        }
    }
}

extension CaptureDate {
    /// As `canonicalDate` writes the manifest's.
    var manifestText: String {
        let micros = localTime?.microseconds ?? instant?.microseconds ?? 0
        let zone = offset.map { "\($0)" } ?? (localTime == nil ? "0" : "none")
        return "\(micros) \(zone)"
    }
}

extension String {
    /// Microseconds on the wall, and the offset in seconds or `none`: read apart from the code under test.
    var canonicalDate: String {
        let parts = split(separator: " ", maxSplits: 1)
        let time = parts[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let zone = parts[1].dropFirst(time.count).replacing("GMT", with: "")
        let text = "\(parts[0].replacing(":", with: "-"))T\(time)Z"
        let sign = zone.hasPrefix("-") ? -1 : 1
        let numbers = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
        let offset = zone == "Z" ? "0" : zone.isEmpty ? "none" : "\(sign * (numbers[0] * 3600 + numbers[1] * 60))"
        return "\(Date(rfc3339: text)?.microseconds ?? -1) \(offset)"
    }
}
