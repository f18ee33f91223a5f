/// What one media file says of itself: read by `albumd-media`, judged by `Media`.
///
/// Only what is in the bytes, and nothing that follows from it: sizes before orientation, dates as text.
package struct FileFacts: Hashable, Sendable, Codable {
    /// The coded size in pixels, of the primary picture or of the first video stream; nil where there is none.
    package var codedSize: PixelSize?
    /// How a viewer has to turn the coded picture, 1 to 8 as EXIF numbers them, from the container (HEIF irot and imir,
    /// the display matrix of a video): it wins over EXIF's, since decoders apply it.
    package var containerOrientation: Int?
    /// How many frames an animated picture has; 1 is a still.
    package var frameCount: Int?
    /// Of a video or an animation, in seconds.
    package var duration: Double?
    package var videoStream: VideoStream?
    package var hasAudio: Bool
    package var tags: [Tag: String]
    /// Names of auxiliary pictures (HEIF `auxC`): depth, disparity, matte, gain map.
    package var auxiliaryImages: [String]
    /// Where a movie lies behind the picture of a motion photo, in bytes from the start of the file.
    package var trailingMovie: ByteSpan?
    /// What could not be read, a sentence each; what could be read stands.
    package var faults: [String]

    package init(
        codedSize: PixelSize? = nil, containerOrientation: Int? = nil, frameCount: Int? = nil, duration: Double? = nil,
        videoStream: VideoStream? = nil, hasAudio: Bool = false, tags: [Tag: String] = [:],
        auxiliaryImages: [String] = [], trailingMovie: ByteSpan? = nil, faults: [String] = []
    ) {
        self.codedSize = codedSize
        self.containerOrientation = containerOrientation
        self.frameCount = frameCount
        self.duration = duration
        self.videoStream = videoStream
        self.hasAudio = hasAudio
        self.tags = tags
        self.auxiliaryImages = auxiliaryImages
        self.trailingMovie = trailingMovie
        self.faults = faults
    }
}

/// A width and a height in pixels.
package struct PixelSize: Hashable, Sendable, Codable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The first video stream of a movie.
package struct VideoStream: Hashable, Sendable, Codable {
    /// As FFmpeg names it: `h264`, `hevc`, `av1`.
    package var codec: String
    /// Frames a second, on average over the stream.
    package var frameRate: Double?

    package init(codec: String, frameRate: Double?) {
        self.codec = codec
        self.frameRate = frameRate
    }
}

/// A part of a file, in bytes.
package struct ByteSpan: Hashable, Sendable, Codable {
    package var offset: Int64
    package var count: Int64

    package init(offset: Int64, count: Int64) {
        self.offset = offset
        self.count = count
    }
}
