import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// What the tags tell of a picture or a video, and what they do not.
@Suite struct SubtypeTests {
    static let pictures: [(tags: Tags, names: [String])] = [
        ([:], []),
        ([.panoramaProjection: "equirectangular"], ["panorama"]),
        ([.make: "Apple", .customRendered: "6"], ["panorama"]),
        ([.make: "Apple", .customRendered: "2"], ["hdr"]),
        ([.make: "Apple", .customRendered: "8"], ["depthEffect"]),
        ([.make: "Canon", .customRendered: "6"], []),
        ([.customRendered: "8"], []),
        ([.make: "Apple", .customRendered: "1"], []),
        ([.appleHDRImageType: "3"], ["hdr"]),
        ([.appleHDRImageType: "4"], []),
        ([.userComment: "Screenshot"], ["screenshot"]),
        ([.xmpUserComment: "Screenshot"], ["screenshot"]),
        ([.userComment: "a screenshot of mine"], []),
        ([.depthFormat: "RangeInverse"], ["depthEffect"]),
        ([.simulatedAperture: "4.5"], []),
        ([.motionPhoto: "1"], ["live"]),
        ([.motionPhoto: "0"], []),
        ([.microVideo: "1", .microVideoOffset: "2147483648"], ["live"]),
        ([.quickTimeCaptureMode: "Time-lapse"], []),
    ]

    @Test(arguments: pictures)
    func aPicturesSubtypes(tags: Tags, names: [String]) { #expect(judged(tags).mediaSubtypes.names == names) }

    static let videos: [(tags: Tags, frameRate: Double?, names: [String])] = [
        ([:], 30, []),
        ([:], nil, []),
        ([:], 60, []),
        ([:], 240, ["highFrameRate"]),
        ([:], 90_000, []),
        ([.androidCaptureFrameRate: "240"], 30.472, ["highFrameRate"]),
        ([.androidCaptureFrameRate: "240.000000"], 30, ["highFrameRate"]),
        ([.androidCaptureFrameRate: "30"], 30, []),
        ([.androidCaptureFrameRate: "30"], 15, []),
        ([.androidCaptureFrameRate: "60"], 59.9, []),
        ([.quickTimeCaptureMode: "Time-lapse"], 30, ["timelapse"]),
        ([.quickTimeCaptureMode: "Slo-mo"], 30, ["highFrameRate"]),
        ([.quickTimeAuthor: "ReplayKitRecording"], 60, ["screenRecording"]),
        ([.quickTimeAuthor: "Anna"], 60, []),
        ([.quickTimeSpatialFormat: "1.0"], 30, ["spatial"]),
        ([.quickTimeCinematic: ""], 30, ["cinematic"]),
        ([.userComment: "Screenshot", .panoramaProjection: "equirectangular"], 30, []),
    ]

    @Test(arguments: videos)
    func aVideosSubtypes(tags: Tags, frameRate: Double?, names: [String]) {
        let file = FileFacts(videoStream: VideoStream(codec: "hevc", frameRate: frameRate))
        #expect(judged(tags, kind: .mov, file: file).mediaSubtypes.names == names)
    }

    @Test(arguments: ["urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"])
    func aDepthMapAloneIsNoDepthEffect(name: String) {
        let file = FileFacts(auxiliaryImages: ["urn:com:apple:photo:2020:aux:hdrgainmap", name])
        #expect(judged([:], kind: .heic, file: file).mediaSubtypes == [])
        #expect(judged([.simulatedAperture: "4.5"], kind: .heic, file: file).mediaSubtypes == .depthEffect)
    }

    @Test func aMovieBehindThePictureIsAMotionPhoto() {
        let facts = judged([:], file: FileFacts(trailingMovie: ByteSpan(offset: 1000, count: 500)))
        #expect(facts.mediaSubtypes == .live)
        #expect(facts.playbackStyle == .livePhoto)
        #expect(facts.embeddedMovie == EmbeddedMovie(offset: 1000, byteCount: 500))
    }

    @Test(
        arguments: [
            (.gif, 30, .imageAnimated), (.gif, 1, .image), (.apng, 2, .imageAnimated), (.webp, 20, .imageAnimated),
            (.avif, 5, .imageAnimated), (.tiff, 4, .image), (.psd, 4, .image), (.jpeg, 2, .image), (.dng, 3, .image),
            (.mov, 300, .video), (.unknown, 1, .unsupported),
        ] as [(MediaKind, Int, PlaybackStyle)])
    func framesThatMoveAreAnAnimation(kind: MediaKind, frames: Int, style: PlaybackStyle) {
        #expect(judged([:], kind: kind, file: FileFacts(frameCount: frames)).playbackStyle == style)
    }

    @Test func subtypesKeepPhotoKitsBits() {
        #expect(
            MediaSubtypes.named.map(\.subtype.rawValue) == [0, 1, 2, 3, 4, 10, 17, 18, 19, 21].map { UInt(1) << $0 })
        #expect(PlaybackStyle.allCases.map(\.photoKitRawValue) == [0, 1, 2, 3, 4])
    }
}
