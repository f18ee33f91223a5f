package import FoundationEssentials
package import PhotoModel

/// What Google Takeout says of a file in the JSON beside it.
///
/// Google documents no format; this follows what exports hold.
package struct TakeoutSidecar: Hashable, Sendable, Codable {
    /// The name that the file had when it was uploaded.
    package var title: String?
    package var caption: String?
    package var photoTaken: Date?
    package var location: Location?
    package var isFavorite: Bool?

    package init(
        title: String? = nil, caption: String? = nil, photoTaken: Date? = nil, location: Location? = nil,
        isFavorite: Bool? = nil
    ) {
        self.title = title
        self.caption = caption
        self.photoTaken = photoTaken
        self.location = location
        self.isFavorite = isFavorite
    }

    /// Nil where the bytes are no such JSON: an album's description, or another program's.
    ///
    /// Bounded before it is parsed: at most 1 MiB, nested 16 deep.
    package init?(reading bytes: [UInt8]) {
        guard bytes.count <= 1 << 20, isShallowJSON(bytes, depth: 16),
            let read = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
            let title = read.title, let taken = read.photoTakenTime
        else { return nil }
        self.init(
            title: title.isEmpty ? nil : String(title.prefix(4096)),
            caption: read.description.flatMap { $0.isEmpty ? nil : String($0.prefix(4096)) },
            photoTaken: taken.date, location: read.geoData?.location ?? read.geoDataExif?.location,
            isFavorite: read.favorited)
    }
}

/// The fields as they are written; all others are passed over.
private struct Written: Decodable {
    var title: String?
    var description: String?
    var photoTakenTime: Instant?
    var geoData: Place?
    var geoDataExif: Place?
    var favorited: Bool?

    /// Seconds since 1970 as text, in some exports as a number.
    struct Instant: Decodable {
        var date: Date?

        private enum Key: String, CodingKey {
            case timestamp
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let text = try? container.decode(String.self, forKey: .timestamp)
            let seconds = text.flatMap { Int64($0) } ?? (try? container.decode(Int64.self, forKey: .timestamp))
            date = seconds.flatMap { abs($0) < 1 << 40 ? Date(microseconds: $0 * 1_000_000) : nil }
        }
    }

    struct Place: Decodable {
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?

        /// 0 metres beside a place is Google's word for no altitude.
        var location: Location? {
            guard let latitude, let longitude else { return nil }
            return Location(latitude: latitude, longitude: longitude, altitude: altitude == 0 ? nil : altitude)
        }
    }
}

/// Whether no more than so many brackets are open at once: a decoder that calls itself is never given more.
private func isShallowJSON(_ bytes: [UInt8], depth most: Int) -> Bool {
    var (depth, isInString, isEscaped) = (0, false, false)
    for byte in bytes {
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\") where isInString: isEscaped = true
        case UInt8(ascii: "\""): isInString.toggle()
        case _ where isInString: continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: continue
        }
        if depth > most { return false }
    }
    return true
}
