import Control
import FoundationEssentials
import PhotoModel
import Testing

@testable import albumctl

/// What `asset get` says of a photo without --json: nothing of its facts is in JSON alone.
@Suite struct FactTextTests {
    @Test func everyFactHasItsWords() throws {
        var facts = AssetFacts(playbackStyle: .livePhoto)
        let time = try #require(CivilTime(text: "2019-06-09T12:57:32"))
        facts.captureDate = CaptureDate(.zoned(time, offset: 7200), source: .dateTimeOriginal)
        facts.zoneProof = ZoneProof(
            offset: 7200, kind: .neighbours, witnesses: [Sample.identifier], localTime: time)
        (facts.mediaSubtypes, facts.orientation) = ([.live, .hdr], 6)
        facts.embeddedMovie = EmbeddedMovie(offset: 1, byteCount: 2_000_000)
        (facts.rating, facts.isFavorite, facts.burstIdentifier, facts.contentIdentifier) = (4, true, "B", "P")
        facts.filledBySidecar = [.title: .xmp, .location: .takeout]
        facts.passedOverDates = [PassedOverDate(source: .gpsTime, text: "0000:00:00", doubt: .zero)]
        var row = Sample.asset()
        row.show(FactsRow(facts: facts, smartAlbums: [.livePhotos, .bursts]))
        let lines = factLines(row)
        for line in [
            "Taken     2019-06-09 12:57:32 +02:00 (dateTimeOriginal)",
            "Zone      +02:00, proven by neighbours \(Sample.identifier)",
            "Kind      livePhoto, hdr, live, orientation 6, with a movie of 2.0 MB in its file",
            "Burst     B", "Pair      P", "Rating    4 of 5 stars, favorite",
            "Sidecar   location by takeout, title by xmp", "Smart     Live Photos, Bursts",
            "Not taken 0000:00:00 (gpsTime: zero)",
        ] { #expect(lines.contains(line), "\(line) is not in \(lines)") }
    }

    @Test func whatIsNotKnownHasNoLine() {
        var row = Sample.asset()
        row.show(FactsRow(facts: AssetFacts(playbackStyle: .image)))
        #expect(factLines(row) == ["Kind      image"])
    }
}
