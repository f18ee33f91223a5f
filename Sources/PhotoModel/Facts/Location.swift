/// A place on the earth (WGS 84).
package struct Location: Hashable, Sendable, Codable {
    /// Degrees north of the equator, -90 to 90.
    package var latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    package var longitude: Double
    /// Metres above the sea.
    package var altitude: Double?

    /// Nil where the numbers are no place.
    ///
    /// 0, 0 is none either: a camera without a fix and Google Takeout write it, and nothing but sea is there. An absurd
    /// altitude costs only itself.
    package init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), latitude != 0 || longitude != 0 else {
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude.flatMap { (-12_000...100_000).contains($0) ? $0 : nil }
    }
}
