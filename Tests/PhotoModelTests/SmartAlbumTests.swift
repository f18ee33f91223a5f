import PhotoModel
import Testing

/// Which smart albums follow from what is known of an asset.
@Suite struct SmartAlbumTests {
    private func albums(
        _ mediaType: MediaType, isLive: Bool = false, _ set: (inout AssetFacts) -> Void
    ) -> Set<SmartAlbum> {
        var facts = AssetFacts()
        set(&facts)
        return SmartAlbumMembership(of: facts, mediaType: mediaType, isLive: isLive).albums
    }

    @Test func nothingKnownIsInNone() {
        #expect(albums(.image) { _ in } == [])
        #expect(albums(.unknown) { _ in } == [])
        #expect(albums(.video) { _ in } == [.videos])
    }

    /// Both halves are the one asset, which is no video.
    @Test func aLivePhotoIsNoVideo() {
        #expect(albums(.image, isLive: true) { _ in } == [.livePhotos])
        #expect(albums(.video, isLive: true) { _ in } == [.livePhotos])
        #expect(albums(.image) { $0 = $0.pairedWithMovie } == [.livePhotos])
    }

    @Test(arguments: [(0.999, false), (1, true), (4, true), (86_400, true), (86_401, false), (4.29497e9, false)])
    func aSecondIsALongExposure(seconds: Double, isLong: Bool) {
        #expect(albums(.image) { $0.exposure = Exposure(time: seconds) } == (isLong ? [.longExposures] : []))
    }

    @Test(arguments: [
        ("iPhone 8 front camera 2.87mm f/2.2", true), ("iPhone X front TrueDepth camera 2.87mm f/2.2", true),
        ("Pixel 6 Pro Front Camera", true), ("iPhone 6s back camera 4.15mm f/2.2", false), ("Affront camera", false),
    ])
    func theFrontCameraTakesSelfies(lens: String, isSelfie: Bool) {
        #expect(albums(.image) { $0.camera = Camera(lens: lens) } == (isSelfie ? [.selfPortraits] : []))
    }

    @Test func aFavouriteIsSaidNotRated() {
        #expect(albums(.image) { ($0.rating, $0.isFavorite) = (5, nil) } == [])
        #expect(albums(.image) { $0.isFavorite = true } == [.favorites])
        #expect(albums(.image) { $0.isFavorite = false } == [])
    }

    @Test func subtypesAndAnimationsHaveTheirAlbums() {
        let all = MediaSubtypes(MediaSubtypes.named.map(\.subtype)).subtracting([.live, .hdr])
        let subtypes = albums(.video) { ($0.mediaSubtypes, $0.playbackStyle) = (all, .video) }
        #expect(
            subtypes == [
                .videos, .panoramas, .screenshots, .depthEffect, .spatial, .slomo, .timelapses, .screenRecordings,
                .cinematic,
            ])
        #expect(albums(.image) { $0.playbackStyle = .imageAnimated } == [.animated])
        #expect(albums(.image) { $0.mediaSubtypes = .hdr } == [])
    }

    @Test func numbersArePhotoKits() {
        #expect(
            SmartAlbum.allCases.map(\.photoKitRawValue) == [
                209, 206, 201, 202, 203, 204, 207, 208, 210, 211, 212, 213, 214, 215, 217, 218, 219, 220,
            ])
    }
}
