import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// A place, or none: CASES E05 and E06.
@Suite struct LocationTests {
    private static func exif(
        _ latitude: String?, _ latitudeRef: String?, _ longitude: String? = "0/1 7/1 30/1",
        _ longitudeRef: String? = "W"
    ) -> Tags {
        var tags: Tags = [:]
        tags[.gpsLatitude] = latitude
        tags[.gpsLatitudeRef] = latitudeRef
        tags[.gpsLongitude] = longitude
        tags[.gpsLongitudeRef] = longitudeRef
        return tags
    }

    @Test(arguments: [
        ("51/1 30/1 0/1", "N", 51.5), ("51/1 3000/100 0/1", "N", 51.5), ("515/10", "S", -51.5),
        ("51/1 30/1", "n", 51.5),
        ("90/1 0/1 0/1", "S", -90), ("51.5", "N", 51.5), ("0/1 0/1 0/1", "N", 0), ("51/1 30/1 0/1", "North", 51.5),
    ])
    func aPlaceIsRead(latitude: String, hemisphere: String, degrees: Double) {
        let location = judged(Self.exif(latitude, hemisphere)).location
        #expect(location?.latitude == degrees)
        #expect(location?.longitude == -0.125)
    }

    @Test(
        arguments: [
            ("0/0 0/0 0/0", "N"), ("51/1 30/1 0/0", "N"), ("1/0 0/1 0/1", "N"), ("91/1 0/1 0/1", "N"),
            ("90/1 0/1 1/1", "N"), ("51/-1 30/1 0/1", "N"), ("-51/1 30/1 0/1", "N"), ("51/1 30/1 0/1", nil),
            ("51/1 30/1 0/1", ""), ("51/1 30/1 0/1", "E"), ("51/1 99/1 0/1", "N"), (nil, "N"), ("", "N"), ("nan", "N"),
            ("inf", "N"), ("51/1 30/1 0/1 0/1", "N"), ("51/1/1", "N"), ("north", "N"),
        ] as [(String?, String?)])
    func aMalformedPlaceIsNone(latitude: String?, hemisphere: String?) {
        #expect(judged(Self.exif(latitude, hemisphere)).location == nil)
    }

    @Test func halfAPlaceIsNone() {
        #expect(judged(Self.exif("51/1 30/1 0/1", "N", nil)).location == nil)
        #expect(judged(Self.exif("51/1 30/1 0/1", "N", "181/1 0/1 0/1", "E")).location == nil)
    }

    /// Cameras without a fix write it.
    @Test func zeroZeroIsNoPlace() {
        #expect(judged(Self.exif("0/1 0/1 0/1", "N", "0/1 0/1 0/1", "E")).location == nil)
    }

    @Test(
        arguments: [
            ("6873/100", "0", 68.73), ("6873/100", "1", -68.73), ("6873/100", nil, 68.73), ("0/0", "0", nil),
            ("4294967295/1", "0", nil), ("-1/1", "0", nil),
        ] as [(String, String?, Double?)])
    func anAltitudeCostsOnlyItself(altitude: String, reference: String?, metres: Double?) {
        var tags = Self.exif("51/1 30/1 0/1", "N")
        tags[.gpsAltitude] = altitude
        tags[.gpsAltitudeRef] = reference
        let location = judged(tags).location
        #expect(location != nil)
        #expect(location?.altitude == metres)
    }

    @Test(
        arguments: [
            ("+34.0100-118.5000+018.150/", 34.01, -118.5, 18.15), ("-33.8688+151.2093/", -33.8688, 151.2093, nil),
            ("+48.8577+002.295/", 48.8577, 2.295, nil), ("+3436.5-11830.0/", 34 + 36.5 / 60, -118.5, nil),
            ("+343600-1183000CRSWGS_84/", 34.6, -118.5, nil), ("+34-118", 34, -118, nil),
            ("+48.8125+2.4862+000.000/", 48.8125, 2.4862, 0), ("-3.5-0.25/", -3.5, -0.25, nil),
        ] as [(String, Double, Double, Double?)])
    func iso6709IsRead(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
        let location = try #require(judged([.quickTimeLocation: text], kind: .mov).location)
        #expect(abs(location.latitude - latitude) < 1e-9)
        #expect(abs(location.longitude - longitude) < 1e-9)
        #expect(location.altitude == altitude)
        #expect(judged([.quickTimeLocationNote: text], kind: .mp4).location == location)
        #expect(
            judged([.quickTimeLocation: "+91-500/", .quickTimeLocationNote: text], kind: .mp4).location == location)
    }

    @Test(arguments: [
        "", "/", "+34.01", "34.01-118.5", "+91.0-118.5/", "+34.0-181.0/", "+1-1/", "+34.0-118.5 or so", "+00-000/",
    ])
    func malformedISO6709IsNone(text: String) {
        #expect(judged([.quickTimeLocation: text], kind: .mov).location == nil)
    }

    @Test(arguments: [
        ("51,30.0N", "0,7,30W", 51.5, -0.125), ("51.5", "-0.125", 51.5, -0.125), ("51.5S", "0.125E", -51.5, 0.125),
    ])
    func xmpIsRead(latitude: String, longitude: String, north: Double, east: Double) throws {
        let location = try #require(judged([.xmpGPSLatitude: latitude, .xmpGPSLongitude: longitude]).location)
        #expect(location.latitude == north)
        #expect(location.longitude == east)
    }

    @Test(arguments: [
        ("51,99N", "0,7W"), ("N", "W"), ("51,30,1,1N", "0,7W"), ("", ""), ("95.0", "0.1"), ("51,30W", "0,7N"),
    ])
    func malformedXMPIsNone(latitude: String, longitude: String) {
        #expect(judged([.xmpGPSLatitude: latitude, .xmpGPSLongitude: longitude]).location == nil)
    }
}
