import Control
import FoundationEssentials
import PhotoModel

/// The values of facts.
var factsSamples: [SchemaSample] {
    let date = Date(microseconds: 0)
    let bare = AssetFacts()
    guard let location = Location(latitude: 1, longitude: 1, altitude: 1),
        let place = Location(latitude: 1, longitude: 1)
    else { return [] }
    var full = wholeFacts
    full.location = location
    let time = CivilTime(of: date, offset: 0)
    let dates = [CaptureMoment.zoned(time, offset: 0), .local(time), .instant(date)]
        .map { CaptureDate($0, source: .filename) }
    return [
        SchemaSample("SmartAlbumRow", full: SmartAlbumRow(.screenshots, count: 1)),
        SchemaSample(
            "SmartAlbumPage", full: PageOf<SmartAlbumRow>(rows: [], next: 1),
            bare: PageOf<SmartAlbumRow>(rows: [], next: nil)),
        SchemaSample("AssetFacts", full: full, bare: bare),
        SchemaSample("CaptureDate", full: dates[0], bares: dates),
        SchemaSample("PassedOverDate", full: PassedOverDate(source: .filename, text: "", doubt: .zero)),
        SchemaSample("Location", full: location, bare: place),
        SchemaSample("Camera", full: Camera(make: "m", model: "m", lens: "l"), bare: Camera()),
        SchemaSample(
            "Exposure", full: Exposure(time: 1, fNumber: 1, iso: 1, focalLength: 1, focalLengthIn35mm: 1),
            bare: Exposure()),
        SchemaSample("ZoneProof", full: ZoneProof(offset: 1, kind: .gps, localTime: time)),
        SchemaSample(
            "DateRepairRequest", full: DateRepairRequest(album: "A", isDryRun: true),
            bare: DateRepairRequest(album: "A")),
        SchemaSample("DateRepairRow", full: repairRow([0x2F, 0xFF]), bare: repairRow(Array("a".utf8))),
        SchemaSample(
            "DateRepairResult", full: DateRepairResult(rows: [], unprovenCount: 0, isMore: false, token: 1),
            bare: DateRepairResult(rows: [], unprovenCount: 0, isMore: false)),
        SchemaSample(
            "ResourceSourceRow", full: ResourceSourceRow(PathBytes([0xFF]), isGone: true),
            bare: ResourceSourceRow(PathBytes("a"), isGone: false)),
        SchemaSample(
            "BurstRow",
            full: BurstRow(
                count: 2,
                representative: LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))))),
        SchemaSample("EmbeddedMovie", full: EmbeddedMovie(offset: 1, byteCount: 1)),
        SchemaSample(
            "FactsStatus", full: FactsStatus(unavailable: StatusProblem(what: "w", fix: "f")), bare: FactsStatus()),
    ]
}

private func repairRow(_ name: [UInt8]) -> DateRepairRow {
    DateRepairRow(
        LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        name: PathBytes(name),
        proof: ZoneProof(offset: 1, kind: .gps, localTime: CivilTime(microseconds: 0)))
}

/// Facts with everything in them but a place.
var wholeFacts: AssetFacts {
    var facts = AssetFacts()
    (facts.pixelWidth, facts.pixelHeight, facts.orientation) = (1, 1, 1)
    (facts.duration, facts.frameRate, facts.codec) = (1, 1, "c")
    facts.captureDate = CaptureDate(.instant(Date(microseconds: 0)), source: .filename)
    facts.zoneProof = ZoneProof(offset: 1, kind: .gps, localTime: CivilTime(microseconds: 0))
    (facts.camera, facts.exposure) = (Camera(), Exposure())
    (facts.title, facts.caption, facts.rating, facts.isFavorite) = ("t", "c", 1, true)
    (facts.burstIdentifier, facts.contentIdentifier) = ("b", "c")
    facts.embeddedMovie = EmbeddedMovie(offset: 1, byteCount: 1)
    return facts
}

extension AssetRow {
    /// With all that one asset alone shows.
    func filled(_ facts: AssetFacts) -> AssetRow {
        var row = self
        row.show(FactsRow(facts: facts, smartAlbums: [], unreadable: "u"))
        row.burst = BurstRow(count: 2, representative: localIdentifier)
        row.resources[0].sources = [ResourceSourceRow(PathBytes([0xFF]), isGone: true)]
        row.resources[0].pairing = "p"
        return row
    }
}
