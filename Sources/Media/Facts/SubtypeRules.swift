package import MediaFacts
package import PhotoModel

/// Which of PhotoKit's subtypes a file says that it is.
extension MediaSubtypes {
    package init(of file: FileFacts, _ mediaType: MediaType) {
        self = []
        switch mediaType {
        case .image: self = Self.ofPicture(file)
        case .video: self = Self.ofVideo(file)
        case .audio, .unknown: return
        }
    }

    private static func ofPicture(_ file: FileFacts) -> MediaSubtypes {
        let tags = file.tags
        let rendering = tags.appleRendering
        var subtypes: MediaSubtypes = []
        if tags.text(.panoramaProjection) != nil || rendering == .panorama { subtypes.insert(.panorama) }
        if tags.text(.appleHDRImageType) == "3" || rendering == .hdr { subtypes.insert(.hdr) }
        if tags.isScreenshot { subtypes.insert(.screenshot) }
        if tags.isMotionPhoto || file.trailingMovie != nil { subtypes.insert(.live) }
        if rendering == .portrait || tags.text(.depthFormat) != nil || file.isBlurredByDepth {
            subtypes.insert(.depthEffect)
        }
        return subtypes
    }

    private static func ofVideo(_ file: FileFacts) -> MediaSubtypes {
        let tags = file.tags
        let mode = tags.text(.quickTimeCaptureMode)?.lowercased().filter(\.isLetter)
        var subtypes: MediaSubtypes = []
        if mode == "timelapse" { subtypes.insert(.timelapse) }
        if mode == "slowmotion" || mode == "slomo" || file.isSlowMotion { subtypes.insert(.highFrameRate) }
        // Screen recordings of iOS, and of macOS 26: ReplayKit signs them.
        if tags.text(.quickTimeAuthor) == "ReplayKitRecording" { subtypes.insert(.screenRecording) }
        if tags.text(.quickTimeSpatialFormat) != nil { subtypes.insert(.spatial) }
        // The key alone says it: its value is empty.
        if tags[.quickTimeCinematic] != nil { subtypes.insert(.cinematic) }
        return subtypes
    }
}

extension [Tag: String] {
    fileprivate enum Rendering {
        case hdr, panorama, portrait
    }

    /// Apple's own values of CustomRendered, which in the standard is 0 or 1: 2 and 3 are HDR, 6 a panorama, 7 and 8
    /// portraits.
    fileprivate var appleRendering: Rendering? {
        guard text(.make)?.lowercased() == "apple" else { return nil }
        switch integer(.customRendered) {
        case 2, 3: return .hdr
        case 6: return .panorama
        case 7, 8: return .portrait
        default: return nil
        }
    }

    /// iOS and macOS write the word; a file's name is no proof.
    fileprivate var isScreenshot: Bool {
        [Tag.userComment, .xmpUserComment].contains { text($0)?.lowercased() == "screenshot" }
    }

    fileprivate var isMotionPhoto: Bool {
        [Tag.motionPhoto, .microVideo].contains { tag in integer(tag).map { $0 > 0 } ?? false }
    }
}

extension FileFacts {
    /// A depth map that is used: a phone stores one with many a picture that shows no blur.
    fileprivate var isBlurredByDepth: Bool {
        guard tags.text(.simulatedAperture) != nil else { return false }
        return auxiliaryImages.contains { name in
            let name = name.lowercased()
            return name == hevcDepth || name.contains("depth") || name.contains("disparity")
        }
    }

    /// Recorded at twice the rate that it plays at, or more (Android); or at 100 frames a second and more (Apple).
    fileprivate var isSlowMotion: Bool {
        let played = videoStream?.frameRate ?? 0
        if let recorded = tags.number(.androidCaptureFrameRate), recorded >= 60, played > 0, recorded >= 2 * played {
            return true
        }
        return (100...1000).contains(played)
    }
}

/// A depth map or a disparity map, coded by HEVC (ISO/IEC 23008-12, B.2.3.3): all iPhones' are.
private let hevcDepth = "urn:mpeg:hevc:2015:auxid:2"

extension PlaybackStyle {
    package init(of file: FileFacts, _ kind: MediaKind, isLive: Bool) {
        switch kind.mediaType {
        case .video: self = .video
        case .image where isLive: self = .livePhoto
        case .image where kind.canBeAnimated && (file.frameCount ?? 1) > 1: self = .imageAnimated
        case .image: self = .image
        case .audio, .unknown: self = .unsupported
        }
    }
}

extension MediaKind {
    /// Several pictures in a TIFF, a PSD or a RAW are pages, layers and previews: nothing that moves.
    fileprivate var canBeAnimated: Bool {
        switch self {
        case .gif, .png, .apng, .webp, .avif, .heic, .heif, .jxl: true
        default: false
        }
    }
}
