/// What is known of one photo or video by its bytes and its sidecars, after judgement.
///
/// The library keeps it as JSON and shows it. Nothing is invented: what no file says is nil. A field that comes later
/// is optional, so that what was kept before it can still be read.
package struct AssetFacts: Hashable, Sendable, Codable {
    /// In pixels, as a viewer shows it: after orientation.
    package var pixelWidth: Int?
    package var pixelHeight: Int?
    /// How the coded picture is turned before it is shown, 1 to 8 as EXIF numbers them.
    package var orientation: Int?
    package var mediaSubtypes: MediaSubtypes
    package var playbackStyle: PlaybackStyle
    /// Of a video or an animation, in seconds.
    package var duration: Double?
    /// Frames a second, on average.
    package var frameRate: Double?
    /// As FFmpeg names it: `h264`, `hevc`, `av1`.
    package var codec: String?
    package var captureDate: CaptureDate?
    /// Where the zone of the capture date comes from, when the file does not say it itself.
    package var zoneProof: ZoneProof?
    /// Better sources than the capture date's whose dates could not be believed, best first: the flag that the date is
    /// second choice, or none.
    package var passedOverDates: [PassedOverDate]
    package var location: Location?
    package var camera: Camera?
    package var exposure: Exposure?
    package var keywords: [String]
    package var title: String?
    package var caption: String?
    /// Stars, 0 to 5.
    package var rating: Int?
    /// What the file or a sidecar says; a rating is no favourite.
    package var isFavorite: Bool?
    /// The same on every picture of one burst.
    package var burstIdentifier: String?
    /// The same on the picture and the movie of one Live Photo.
    package var contentIdentifier: String?
    /// The movie of a motion photo, inside the picture's file.
    package var embeddedMovie: EmbeddedMovie?
    /// The fields that a sidecar filled, and which kind it was; all others are the file's own.
    package var filledBySidecar: [Field: SidecarKind]
    /// What could not be read or believed, a sentence each.
    package var faults: [String]

    /// Nothing known.
    package init(playbackStyle: PlaybackStyle = .unsupported) {
        mediaSubtypes = []
        self.playbackStyle = playbackStyle
        passedOverDates = []
        keywords = []
        filledBySidecar = [:]
        faults = []
    }

    /// A field that a sidecar can fill.
    package enum Field: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        case captureDate, location, keywords, title, caption, rating, isFavorite
    }

    /// The same asset once its movie is known: a Live Photo.
    package var pairedWithMovie: AssetFacts {
        var facts = self
        facts.mediaSubtypes.insert(.live)
        facts.playbackStyle = .livePhoto
        return facts
    }
}

/// What made the picture.
package struct Camera: Hashable, Sendable, Codable {
    package var make: String?
    package var model: String?
    package var lens: String?

    package init(make: String? = nil, model: String? = nil, lens: String? = nil) {
        self.make = make
        self.model = model
        self.lens = lens
    }
}

/// How the picture was exposed.
package struct Exposure: Hashable, Sendable, Codable {
    /// Seconds.
    package var time: Double?
    package var fNumber: Double?
    package var iso: Int?
    /// Millimetres.
    package var focalLength: Double?
    /// Millimetres on 35 mm film with the same field of view.
    package var focalLengthIn35mm: Double?

    package init(
        time: Double? = nil, fNumber: Double? = nil, iso: Int? = nil, focalLength: Double? = nil,
        focalLengthIn35mm: Double? = nil
    ) {
        self.time = time
        self.fNumber = fNumber
        self.iso = iso
        self.focalLength = focalLength
        self.focalLengthIn35mm = focalLengthIn35mm
    }
}

/// Where a movie lies inside a picture's file, in bytes.
package struct EmbeddedMovie: Hashable, Sendable, Codable {
    package var offset: Int64
    package var byteCount: Int64

    package init(offset: Int64, byteCount: Int64) {
        self.offset = offset
        self.byteCount = byteCount
    }
}
