/// How an asset is presented, which is not its media type: PhotoKit's `PHAssetPlaybackStyle`, by name.
///
/// PhotoKit's looping video is an effect of its own on a Live Photo; no file says that it is one.
package enum PlaybackStyle: String, Codable, Sendable, CaseIterable {
    case unsupported
    case image
    case imageAnimated
    case livePhoto
    case video

    /// The raw number of `PHAssetPlaybackStyle`.
    package var photoKitRawValue: Int {
        switch self {
        case .unsupported: 0
        case .image: 1
        case .imageAnimated: 2
        case .livePhoto: 3
        case .video: 4
        }
    }
}
