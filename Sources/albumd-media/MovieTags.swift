import CAVFormat
import Glibc
import MediaFacts

/// The metadata of a movie or of one stream, by libav's names for them.
func movieTags(_ dictionary: OpaquePointer?) -> [Tag: String] {
    var tags: [Tag: String] = [:]
    for (name, tag) in names {
        guard let entry = av_dict_get(dictionary, name, nil, 0), let value = entry.pointee.value else { continue }
        let text = String(cString: value)
        if !text.isEmpty, tags[tag] == nil { tags[tag] = text }
    }
    // AVI has a local time there, every other container UTC.
    if let time = tags[.movieCreationTime], !time.hasSuffix("Z") {
        tags[.movieCreationTime] = nil
        tags[.containerDate] = time
    }
    return tags
}

private let names: [(name: String, tag: Tag)] = [
    ("creation_time", .movieCreationTime),
    ("com.apple.quicktime.creationdate", .quickTimeCreationDate),
    ("com.apple.quicktime.location.ISO6709", .quickTimeLocation),
    ("com.apple.quicktime.make", .quickTimeMake), ("make", .quickTimeMake),
    ("com.apple.quicktime.model", .quickTimeModel), ("model", .quickTimeModel),
    ("com.apple.quicktime.title", .quickTimeTitle), ("title", .quickTimeTitle),
    ("com.apple.quicktime.content.identifier", .quickTimeContentIdentifier),
    ("com.apple.quicktime.capture-mode", .quickTimeCaptureMode),
    ("com.apple.quicktime.author", .quickTimeAuthor),
    ("com.apple.quicktime.spatial.format-version", .quickTimeSpatialFormat),
    ("com.apple.quicktime.cinematic-video", .quickTimeCinematic),
    ("location", .quickTimeLocationNote), ("com.android.capture.fps", .androidCaptureFrameRate),
    ("date", .containerDate),
]
