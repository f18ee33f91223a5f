/// PhotoKit's smart albums, by their English names.
///
/// Recents and Recently Added follow from the library, Bursts from the other pictures of a burst, RAW from an asset's
/// resources; all others from what one asset's files say.
package enum SmartAlbum: String, Codable, Sendable, CaseIterable {
    /// Every live asset: PhotoKit's user library.
    case recents = "Recents"
    /// What came within the last `recentDays`.
    case recentlyAdded = "Recently Added"
    case panoramas = "Panoramas"
    case videos = "Videos"
    case favorites = "Favorites"
    case timelapses = "Time-lapse"
    case bursts = "Bursts"
    case slomo = "Slo-mo"
    case selfPortraits = "Selfies"
    case screenshots = "Screenshots"
    case depthEffect = "Portrait"
    case livePhotos = "Live Photos"
    case animated = "Animated"
    case longExposures = "Long Exposure"
    case raw = "RAW"
    case cinematic = "Cinematic"
    case spatial = "Spatial"
    case screenRecordings = "Screen Recordings"

    /// PhotoKit does not say how long its own counts as recent; this is ours.
    package static let recentDays = 30

    /// `PHAssetCollectionSubtype`'s number.
    package var photoKitRawValue: Int {
        switch self {
        case .recents: 209
        case .recentlyAdded: 206
        case .panoramas: 201
        case .videos: 202
        case .favorites: 203
        case .timelapses: 204
        case .bursts: 207
        case .slomo: 208
        case .selfPortraits: 210
        case .screenshots: 211
        case .depthEffect: 212
        case .livePhotos: 213
        case .animated: 214
        case .longExposures: 215
        case .raw: 217
        case .cinematic: 218
        case .spatial: 219
        case .screenRecordings: 220
        }
    }
}

/// Which smart albums an asset belongs to: a pure function of what is known of it.
package struct SmartAlbumMembership: Hashable, Sendable {
    package let albums: Set<SmartAlbum>

    /// `isLive` says that a movie is paired with the picture, or the picture with a movie.
    ///
    /// A motion photo knows it by itself. The movie of a Live Photo is no video of its own.
    package init(of facts: AssetFacts, mediaType: MediaType, isLive: Bool) {
        let isLive = isLive || facts.mediaSubtypes.contains(.live)
        let isVideo = mediaType == .video && !isLive
        var albums = Set(Self.bySubtype.filter { facts.mediaSubtypes.contains($0.subtype) }.map(\.album))
        if isVideo { albums.insert(.videos) }
        if isLive { albums.insert(.livePhotos) }
        if facts.isFavorite == true { albums.insert(.favorites) }
        if facts.playbackStyle == .imageAnimated { albums.insert(.animated) }
        if mediaType == .image, facts.camera?.isFrontCamera == true { albums.insert(.selfPortraits) }
        if mediaType == .image, facts.exposure?.isLong == true { albums.insert(.longExposures) }
        self.albums = albums
    }

    private static let bySubtype: [(subtype: MediaSubtypes, album: SmartAlbum)] = [
        (.panorama, .panoramas), (.screenshot, .screenshots), (.depthEffect, .depthEffect), (.spatial, .spatial),
        (.highFrameRate, .slomo), (.timelapse, .timelapses), (.screenRecording, .screenRecordings),
        (.cinematic, .cinematic),
    ]
}

extension Camera {
    /// Phones name the camera on the screen's side in the lens: `iPhone 8 front camera 2.87mm f/2.2`.
    package var isFrontCamera: Bool {
        guard let lens = lens?.lowercased() else { return false }
        return lens.split(separator: " ").contains("front") && lens.contains("camera")
    }
}

extension Exposure {
    /// A second or more: albumd's own rule, beside Apple's effect on Live Photos, which no file carries.
    ///
    /// Beyond a day the number is a malformed one.
    package var isLong: Bool { time.map { (1...86_400).contains($0) } ?? false }
}
