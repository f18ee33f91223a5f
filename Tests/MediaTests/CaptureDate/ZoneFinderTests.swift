import FoundationEssentials
import Media
import MediaFacts
import PhotoModel
import Testing

/// Zones of wall clocks, by proof alone.
@Suite struct ZoneFinderTests {
    private typealias Tags = [MediaFacts.Tag: String]

    private static let canon = Camera(make: "Canon", model: "EOS 6D")

    @Test(
        arguments: [
            ("2019:06:09 12:57:32", "2019:06:09", "10/1 57/1 29/1", 9.0, 7200),
            ("2019:12:29 19:01:15", "2019:12:30", "3/1 1/1 14/1", -122.0, -28_800),
            // India's half hour, Nepal's quarter.
            ("2019:01:01 12:00:00", "2019:01:01", "6/1 30/1 40/1", 77.0, 19_800),
            ("2019:01:01 12:00:00", "2019:01:01", "6/1 15/1 0/1", 85.0, 20_700),
            // Samoa is a day ahead of its sun.
            ("2019:01:01 12:00:00", "2018:12:31", "22/1 0/1 0/1", -172.0, 50_400),
            // Three minutes of a clock that is wrong, or of satellites that were not there: no proof.
            ("2019:01:01 12:00:00", "2019:01:01", "9/1 57/1 0/1", 30.0, nil),
            // A program that wrote the wall's time for UTC, in California.
            ("2008:05:08 09:54:28", "2008:05:08", "9/1 54/1 28/1", -116.9, nil),
            ("2019:01:01 12:00:00", "2018:12:01", "12/1 0/1 0/1", 9.0, nil),
        ] as [(String, String, String, Double, Int?)])
    func satellitesProveAZone(local: String, day: String, time: String, longitude: Double, offset: Int?) throws {
        var facts = try facts(local)
        facts.location = Location(latitude: 10, longitude: longitude)
        let one = ZoneCase(identifier(1), facts, tags: [.gpsDateStamp: day, .gpsTimeStamp: time])
        #expect(zoneProofs(of: [one])[identifier(1)]?.offset == offset)
        #expect(offset == nil || zoneProofs(of: [one])[identifier(1)]?.kind == .gps)
    }

    @Test func aTimeOfSatellitesWithoutAPlaceIsNoProof() throws {
        let tags: Tags = [.gpsDateStamp: "2019:06:09", .gpsTimeStamp: "10/1 57/1 29/1"]
        #expect(zoneProofs(of: [ZoneCase(identifier(1), try facts("2019:06:09 12:57:32"), tags: tags)]) == [:])
    }

    @Test func theOtherHalfOfALivePhotoProvesAZone() throws {
        var (still, movie) = (try facts("2019:06:09 12:57:32"), AssetFacts())
        (still.contentIdentifier, movie.contentIdentifier) = ("P", "P")
        movie.captureDate = CaptureDate(
            .zoned(try time("2019-06-09T12:57:30"), offset: 7200), source: .quickTimeCreationDate)
        let proofs = zoneProofs(of: [ZoneCase(identifier(1), still), ZoneCase(identifier(2), movie)])
        let proof = ZoneProof(
            offset: 7200, kind: .pair, witnesses: [identifier(2)], localTime: try time("2019-06-09T12:57:32"))
        #expect(proofs == [identifier(1): proof])
        // The movie as a file of the same asset.
        let others: [Tags] = [[.quickTimeCreationDate: "2019-06-09T12:57:30+0200"]]
        let own = ZoneCase(identifier(1), try facts("2019:06:09 12:57:32"), others: others)
        #expect(zoneProofs(of: [own])[identifier(1)]?.offset == 7200)
        let late: [Tags] = [[.quickTimeCreationDate: "2019-06-09T13:57:30+0200"]]
        #expect(zoneProofs(of: [ZoneCase(identifier(1), try facts("2019:06:09 12:57:32"), others: late)]) == [:])
    }

    @Test(arguments: [
        (7200, 7200, "2019:06:09 20:00:00", Self.canon, true),
        // They disagree; too far; another camera.
        (7200, 3600, "2019:06:09 20:00:00", Self.canon, false),
        (7200, 7200, "2019:06:10 08:00:00", Self.canon, false),
        (7200, 7200, "2019:06:09 20:00:00", Camera(make: "Canon", model: "EOS 5D"), false),
    ])
    func neighboursProveAZoneThatBothHave(
        _ first: Int, _ second: Int, _ last: String, camera: Camera, isProven: Bool
    ) throws {
        let proofs = zoneProofs(of: [
            try zoned(1, "2019:06:09 08:00:00", first), ZoneCase(identifier(2), try facts("2019:06:09 12:00:00")),
            try zoned(3, last, second, camera),
        ])
        #expect(proofs[identifier(2)]?.offset == (isProven ? 7200 : nil))
        #expect(proofs[identifier(2)]?.witnesses == (isProven ? [identifier(1), identifier(3)] : nil))
        #expect(proofs[identifier(1)] == nil && proofs[identifier(3)] == nil)
    }

    /// One side alone may be the last before a flight.
    @Test func oneNeighbourIsNoProof() throws {
        let proofs = zoneProofs(of: [
            try zoned(1, "2019:06:09 08:00:00", 7200), ZoneCase(identifier(2), try facts("2019:06:09 12:00:00")),
        ])
        #expect(proofs == [:])
    }

    @Test(arguments: [CaptureDateSource.filename, .dateTime, .takeoutSidecar, .modificationDate])
    func aTimeThatIsNotTheCamerasGetsNoZone(_ source: CaptureDateSource) throws {
        var other = try facts("2019:06:09 12:00:00")
        other.captureDate?.source = source
        let proofs = zoneProofs(of: [
            try zoned(1, "2019:06:09 08:00:00", 7200), ZoneCase(identifier(2), other),
            try zoned(3, "2019:06:09 20:00:00", 7200),
        ])
        #expect(proofs == [:])
    }

    private func facts(_ local: String, _ camera: Camera = Self.canon) throws -> AssetFacts {
        let evidence = FactEvidence(
            kind: .jpeg, file: FileFacts(tags: [.dateTimeOriginal: local]), name: nil, modified: nil,
            now: Date(microseconds: 1_900_000_000_000_000))
        var facts = AssetFacts(judging: evidence)
        facts.camera = camera
        return facts
    }

    private func zoned(
        _ number: UInt8, _ local: String, _ offset: Int, _ camera: Camera = Self.canon
    ) throws -> ZoneCase {
        var facts = try facts(local, camera)
        let time = try #require(facts.captureDate?.localTime)
        facts.captureDate?.moment = .zoned(time, offset: offset)
        return ZoneCase(identifier(number), facts)
    }

    private func time(_ text: String) throws -> CivilTime { try #require(CivilTime(text: text)) }

    private func identifier(_ number: UInt8) -> LocalIdentifier {
        LocalIdentifier(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
    }
}
