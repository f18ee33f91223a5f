import FoundationEssentials
import MediaFacts
import PhotoModel

@testable import Media

/// The rows of the corpus' manifest as tags.
enum Manifest {
    struct Row {
        fileprivate var columns: [String: String]

        subscript(_ name: String) -> String { columns[name] ?? "" }
        var path: String { self["path"] }
        var smart: Set<String> { Set(self["smart"].split(separator: ", ").map(String.init)) }
        var isMedia: Bool { !["XMP", "AAE", "JSON"].contains(self["format"]) }
        var isAnimation: Bool { path.hasSuffix(".avif") || path.hasSuffix(".avifs") }
        var mediaType: MediaType {
            let video = ["MOV", "MP4", "M4V", "3GP", "M2TS", "M2T", "MKV", "WEBM", "AVI"]
            return video.contains(self["format"]) && !isAnimation ? .video : isMedia ? .image : .unknown
        }

        /// Whether its other half is in the set: the manifest's own words.
        func isPaired(in rows: [Row]) -> Bool {
            !self["content_id"].isEmpty && rows.count { $0["content_id"] == self["content_id"] } == 2
        }

        var facts: AssetFacts {
            let kind: MediaKind = mediaType == .video ? .mov : isAnimation ? .avif : frames > 1 ? .gif : .jpeg
            var file = FileFacts(
                codedSize: size, frameCount: frames, duration: Double(self["duration_s"]),
                videoStream: mediaType == .video
                    ? VideoStream(codec: self["video_codec"], frameRate: Double(self["fps"])) : nil,
                tags: dateTags.merging(cameraTags) { $1 })
            readWhy(into: &file)
            return judged([:], kind: kind, file: file)
        }

        private var frames: Int { Int(self["frames"]) ?? 1 }
        private var size: PixelSize? {
            guard let width = Int(self["width"]), let height = Int(self["height"]) else { return nil }
            return PixelSize(width: width, height: height)
        }

        private var cameraTags: Tags {
            var tags: Tags = [.make: self["make"], .model: self["model"], .lensModel: self["lens"]]
            tags[.orientation] = self["orientation"]
            guard let latitude = Double(self["lat"]), let longitude = Double(self["lon"]) else { return tags }
            tags[.gpsLatitude] = "\(Int((abs(latitude) * 1000).rounded()))/1000"
            tags[.gpsLatitudeRef] = latitude < 0 ? "S" : "N"
            tags[.gpsLongitude] = "\(Int((abs(longitude) * 1000).rounded()))/1000"
            tags[.gpsLongitudeRef] = longitude < 0 ? "W" : "E"
            return tags
        }

        /// The manifest's date as the tags that exiftool read it from.
        var dateTags: Tags {
            let date = self["capture_date"]
            switch self["date_tag"] {
            case "ExifIFD:DateTimeOriginal": return [.dateTimeOriginal: date]
            case "Composite:SubSecDateTimeOriginal":
                let time = date.prefix(19)
                let rest = date.dropFirst(19)
                let fraction = rest.hasPrefix(".") ? rest.dropFirst().prefix { $0.isNumber } : ""
                let zone = String(rest.drop { $0 == "." || $0.isNumber })
                return [
                    .dateTimeOriginal: String(time), .subSecTimeOriginal: String(fraction), .offsetTimeOriginal: zone,
                ]
            case "Keys:CreationDate": return [.quickTimeCreationDate: date]
            case "XMP-xmp:CreateDate": return [.xmpCreateDate: date]
            case "RIFF:DateTimeOriginal", "H264:DateTimeOriginal": return [.containerDate: date]
            default: return [:]
            }
        }

        /// What the manifest's reason quotes.
        private func readWhy(into file: inout FileFacts) {
            let why = self["why"]
            let quoted: [(words: String, tag: MediaFacts.Tag, value: String)] = [
                ("XMP-GPano:ProjectionType=", .panoramaProjection, "equirectangular"),
                ("ExifIFD:CustomRendered=6", .customRendered, "6"), ("ExifIFD:CustomRendered=8", .customRendered, "8"),
                ("ExifIFD:CustomRendered=9", .customRendered, "9"), ("SimulatedAperture", .simulatedAperture, "4.5"),
                ("XMP-GDepth:Format", .depthFormat, "RangeInverse"), ("MotionPhoto=1", .motionPhoto, "1"),
                ("MicroVideo=1", .microVideo, "1"), ("UserComment=Screenshot", .userComment, "Screenshot"),
                ("CaptureMode=Time-lapse", .quickTimeCaptureMode, "Time-lapse"),
                ("com.android.capture.fps=240", .androidCaptureFrameRate, "240"),
                ("ExposureTime=4 s", .exposureTime, "4/1"),
                ("ExposureTime=4.29497e+09", .exposureTime, "4294967295/1"), ("Rating=4", .xmpRating, "4"),
                ("LensModel=iPhone 8 front", .lensModel, "iPhone 8 front camera 2.87mm f/2.2"),
            ]
            for (words, tag, value) in quoted where why.contains(words) { file.tags[tag] = value }
            if why.contains("disparity auxiliary image") {
                file.auxiliaryImages = ["urn:mpeg:hevc:2015:auxid:2"]
            }
        }
    }

    /// Nil, and a line printed, where there is no corpus.
    static func rows() -> [Row]? {
        guard let text = Corpus.manifest() else { return nil }
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { line in
            Row(columns: Dictionary(zip(lines[0], line), uniquingKeysWith: { first, _ in first }))
        }
    }
}
