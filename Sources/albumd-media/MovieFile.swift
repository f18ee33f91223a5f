import CAVFormat
import MediaContainers
import MediaFacts

/// What libav reads in the header of a movie; it decodes a frame or two where only they tell size and rate.
struct MovieFile {
    struct Refusal: Error {
        var reason: String
    }

    var size: PixelSize?
    var orientation: Int?
    var frameCount: Int?
    var duration: Double?
    var video: VideoStream?
    var hasAudio = false
    var tags: [Tag: String] = [:]

    static func read(_ file: OpenedFile) -> Result<MovieFile, Refusal> {
        guard let context = MovieContext(file) else { return .failure(Refusal(reason: "out of memory")) }
        if let refusal = context.open() { return .failure(Refusal(reason: refusal)) }
        var movie = MovieFile(context.format)
        if let packet = movie.needsNote ? context.firstPacket(codec: AV_CODEC_ID_H264) : nil {
            movie.tags.merge(CamcorderNote(in: packet)?.tags ?? [:]) { first, _ in first }
        }
        return .success(movie)
    }

    /// A transport stream has no date of its own.
    private var needsNote: Bool { video?.codec == "h264" && tags[.movieCreationTime] == nil }

    private init(_ format: UnsafeMutablePointer<AVFormatContext>) {
        let streams = UnsafeBufferPointer(start: format.pointee.streams, count: Int(format.pointee.nb_streams))
            .compactMap { $0 }
        hasAudio = streams.contains { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
        tags = movieTags(format.pointee.metadata)
        let length = format.pointee.duration
        if length != shim_av_no_time, length > 0 { duration = Double(length) / Double(shim_av_time_base) }
        let pictures = streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
        // A cover picture in a container of sound or video is no stream that plays.
        guard let stream = pictures.first(where: { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 }) else {
            return
        }
        tags.merge(movieTags(stream.pointee.metadata)) { first, _ in first }
        describe(stream)
    }

    private mutating func describe(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        if parameters.width > 0, parameters.height > 0 {
            size = PixelSize(width: Int(parameters.width), height: Int(parameters.height))
        }
        let rate = stream.pointee.avg_frame_rate
        let name = String(cString: avcodec_get_name(parameters.codec_id))
        video = VideoStream(codec: name, frameRate: rate.num > 0 && rate.den > 0 ? av_q2d(rate) : nil)
        frameCount = stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil
        orientation = shim_av_display_matrix(stream).flatMap(displayOrientation)
    }
}

/// EXIF's number for a display matrix of whole quarters; nil for any other (ISO/IEC 14496-12, 6.2.2).
private func displayOrientation(_ matrix: UnsafePointer<Int32>) -> Int? {
    let (a, b, c, d) = (matrix[0].signum(), matrix[1].signum(), matrix[3].signum(), matrix[4].signum())
    var turning = Turning()
    if a * d - b * c < 0 { turning.mirrorLeftToRight() }
    // Where the left edge's neighbour goes: right, down, left or up.
    let (x, y) = a * d - b * c < 0 ? (-a, -b) : (a, b)
    switch (x, y) {
    case (1, 0): break
    case (0, 1): turning.turnClockwise(quarters: 1)
    case (-1, 0): turning.turnClockwise(quarters: 2)
    case (0, -1): turning.turnClockwise(quarters: 3)
    default: return nil
    }
    return turning.orientation
}
