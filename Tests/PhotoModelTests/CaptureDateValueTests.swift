import FoundationEssentials
import PhotoModel
import Testing

/// Civil times, places and capture dates as values.
@Suite struct CaptureDateValueTests {
    private func civil(_ text: String) throws -> CivilTime { try #require(CivilTime(text: text)) }

    @Test func theWallIsAheadOfUTC() throws {
        let time = try civil("2019-12-31T23:30:00")
        #expect(time.instant(offset: -8 * 3600).rfc3339 == "2020-01-01T07:30:00.000000Z")
        #expect(CivilTime(of: time.instant(offset: 5400), offset: 5400) == time)
        #expect(time.day == "2019-12-31")
    }

    @Test(arguments: [
        "2019-02-29T10:00:00", "2019-01-01T24:00:00", "2019-01-01", "2019-01-01T10:00:00Z", "2019-01-01T10:00:00+01:00",
        "",
    ])
    func whatNoWallShowsIsNone(text: String) { #expect(CivilTime(text: text) == nil) }

    /// Never shifted: `creationDate` of a local time reads as the wall did.
    @Test func aMomentSaysWhatIsKnown() throws {
        let time = try civil("2019-07-04T16:24:01.500000")
        let zoned = CaptureDate(.zoned(time, offset: 7200), source: .dateTimeOriginal)
        #expect(zoned.instant?.rfc3339 == "2019-07-04T14:24:01.500000Z" && zoned.offset == 7200)
        #expect(zoned.localTime == time && zoned.creationDate == zoned.instant)
        let local = CaptureDate(.local(time), source: .dateTimeOriginal)
        #expect(local.instant == nil && local.offset == nil && local.localTime == time)
        #expect(local.creationDate.rfc3339 == "2019-07-04T16:24:01.500000Z")
        let instant = CaptureDate(.instant(time.instant(offset: 0)), source: .gpsTime)
        #expect(instant.localTime == nil && instant.offset == nil)
    }

    @Test func datesAgreeOnTheSecond() throws {
        let time = try civil("2019-07-04T16:24:01.500000")
        let whole = try civil("2019-07-04T16:24:01")
        let zoned = CaptureDate(.zoned(time, offset: 7200), source: .dateTimeOriginal)
        #expect(zoned.agrees(with: CaptureDate(.local(whole), source: .containerDate)) == true)
        #expect(zoned.agrees(with: CaptureDate(.zoned(whole, offset: 3600), source: .dateTimeOriginal)) == false)
        #expect(zoned.agrees(with: CaptureDate(.instant(whole.instant(offset: 7200)), source: .gpsTime)) == true)
        let instant = CaptureDate(.instant(whole.instant(offset: 0)), source: .gpsTime)
        #expect(instant.agrees(with: CaptureDate(.local(whole), source: .dateTimeOriginal)) == nil)
        let day = CaptureDate(.local(whole), precision: .day, source: .xmpDateCreated)
        #expect(day.agrees(with: day) == nil)
    }

    @Test(arguments: [(91.0, 0.1), (-90.1, 0.1), (0.1, 180.1), (0.1, -181), (0, 0), (.nan, 1), (1, .infinity)])
    func whatIsOnNoMapIsNoPlace(latitude: Double, longitude: Double) {
        #expect(Location(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func subtypesOfANewerAlbumdArePassedOver() throws {
        let text = #"["live", "hologram", "panorama"]"#
        #expect(try JSONDecoder().decode(MediaSubtypes.self, from: Data(text.utf8)) == [.live, .panorama])
    }
}
