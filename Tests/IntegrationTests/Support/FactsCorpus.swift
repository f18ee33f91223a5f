import FoundationEssentials
import Glibc
import PhotoModel
import TestSupport
import Testing

/// Files of the corpus with what its manifest says of them.
struct FactsCorpus {
    struct Entry {
        fileprivate var columns: [String: String]

        subscript(_ name: String) -> String { columns[name] ?? "" }
        var path: String { self["path"] }
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }

        /// One that no other has.
        var flatName: String { path.replacing("/", with: "-") }
        var smart: Set<String> { Set(self["smart"].split(separator: ", ").map(String.init)) }

        /// What facts say otherwise.
        func differences(from facts: AssetFacts) -> [String] {
            var found: [String] = []
            if let width = Int(self["width"]), let height = Int(self["height"]) {
                let isTurned = (Int(self["orientation"]) ?? 1) > 4
                let shown = isTurned ? (height, width) : (width, height)
                if facts.pixelWidth != shown.0 || facts.pixelHeight != shown.1 {
                    found.append("\(facts.pixelWidth ?? 0) x \(facts.pixelHeight ?? 0), not \(shown)")
                }
            }
            let model = self["model"]
            if !model.isEmpty, facts.camera?.model != model { found.append("camera \(facts.camera?.model ?? "none")") }
            if let latitude = Double(self["lat"]), let longitude = Double(self["lon"]), latitude != 0 {
                let place = facts.location
                let isThere = place.map { abs($0.latitude - latitude) < 0.01 && abs($0.longitude - longitude) < 0.01 }
                if isThere != true { found.append("place \(place.map { "\($0)" } ?? "none")") }
            }
            if let day = day, facts.captureDate?.localTime?.text.prefix(19) != day[...] {
                found.append("taken \(facts.captureDate?.localTime?.text ?? "never"), not \(day)")
            }
            return found
        }

        /// `2019-01-02T03:04:05`, of `2019:01:02 03:04:05+01:00`.
        private var day: String? {
            let text = self["capture_date"]
            guard text.count >= 19 else { return nil }
            let parts = text.prefix(19).split(separator: " ")
            return parts.count == 2 ? parts[0].replacing(":", with: "-") + "T" + parts[1] : nil
        }
    }

    private let root: String
    private let all: [Entry]

    /// Nil, and a line printed, where there is no corpus.
    init?() {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let near = package.deletingLastPathComponent().appending(path: "shared/corpus").path()
        root = getenv("ALBUMD_CORPUS").map { String(cString: $0) } ?? near
        guard let bytes = try? PosixProgram().read(Array("\(root)/MANIFEST.tsv".utf8)) else {
            print("skipped: there is no media corpus (set ALBUMD_CORPUS)")
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        all = lines.dropFirst().map { line in
            Entry(columns: Dictionary(zip(lines[0], line), uniquingKeysWith: { first, _ in first }))
        }
    }

    func bytes(of entry: Entry) throws -> [UInt8] {
        try PosixProgram().read(Array("\(root)/\(entry.path)".utf8))
    }

    /// Media that no other file makes a Live Photo of, and whose bytes are whole.
    var singleFiles: [Entry] {
        let pairs = Dictionary(grouping: all.filter { !$0["content_id"].isEmpty }, by: { $0["content_id"] })
        return all.filter { entry in
            !["XMP", "AAE", "JSON"].contains(entry["format"]) && !entry.path.hasPrefix("bad/")
                && pairs[entry["content_id"]]?.count ?? 1 == 1
        }
    }

    func entry(_ path: String) throws -> Entry { try #require(all.first { $0.path == path }, "no \(path)") }

    struct LivePhoto {
        var picture: Entry
        var movie: Entry
    }

    /// Picture and movie with one content identifier.
    var livePhotos: [LivePhoto] {
        let pairs = Dictionary(grouping: all.filter { !$0["content_id"].isEmpty }, by: { $0["content_id"] })
        return pairs.values.compactMap { files in
            let movie = files.first { Double($0["fps"]) != nil }
            let picture = files.first { $0.path != movie?.path }
            return picture.flatMap { picture in movie.map { LivePhoto(picture: picture, movie: $0) } }
        }.sorted { $0.picture.path < $1.picture.path }
    }

    /// Pictures of which other readers say when they were taken, and which docs/media.md lists no deviation of.
    func entries(_ count: Int) -> [Entry] {
        let folders = ["heic/", "jpeg-exif/", "screenshots/", "selfies/", "portrait/"]
        return Array(
            all.filter { entry in
                folders.contains { entry.path.hasPrefix($0) } && !entry["capture_date"].isEmpty
                    && entry.name != "ExifTool.jpg"
            }.prefix(count))
    }
}
