import FoundationEssentials
import MediaFacts
import PhotoModel
import Testing

@testable import Media

/// Every real file by the real worker, judged: the albums, the date and the place of the manifest have to come out.
@Suite struct JudgedCorpusTests {
    @Test func everyFileIsInTheAlbumsOfTheManifestAndNoOther() throws {
        guard let files = try JudgedFile.all() else { return }
        #expect(files.count > 200)
        for file in files {
            let isPaired = !file["content_id"].isEmpty && files.count { $0["content_id"] == file["content_id"] } == 2
            let membership = SmartAlbumMembership(of: file.facts, mediaType: file.kind.mediaType, isLive: isPaired)
            let expected = Set(file["smart"].split(separator: ", ").map(String.init))
            #expect(Set(membership.albums.map(\.rawValue)) == expected, "\(file.path)")
        }
    }

    @Test func everyPlaceIsTheManifests() throws {
        guard let files = try JudgedFile.all() else { return }
        for file in files where !file["lat"].isEmpty {
            let place = file.facts.location
            guard file["gps"].hasPrefix("yes") else {
                #expect(place == nil, "\(file.path)")
                continue
            }
            #expect(abs((place?.latitude ?? 99) - (Double(file["lat"]) ?? 0)) < 0.01, "\(file.path)")
            #expect(abs((place?.longitude ?? 999) - (Double(file["lon"]) ?? 0)) < 0.01, "\(file.path)")
        }
    }

    /// The day and the time on the wall to the second; docs/media.md lists the dates that are read otherwise.
    @Test func everyDateIsTheManifests() throws {
        guard let files = try JudgedFile.all() else { return }
        let others = Set(try Deviation.listed().filter { $0.column == "capture_date" }.map(\.path))
        for file in files where !file["capture_date"].isEmpty && !others.contains(file.path) {
            let date = file.facts.captureDate
            guard !file["capture_date"].hasPrefix("2099") else {
                #expect(date == nil, "\(file.path)")
                continue
            }
            let told = (date?.localTime?.microseconds ?? date?.instant?.microseconds ?? 0) / 1_000_000
            let expected = (Int64(file["capture_date"].canonicalDate.split(separator: " ")[0]) ?? -1) / 1_000_000
            #expect(told == expected, "\(file.path): \(String(describing: date))")
        }
    }
}

/// One file of the corpus with its facts.
private struct JudgedFile {
    var path: String
    var kind: MediaKind
    var facts: AssetFacts
    private var columns: [String: String]

    subscript(_ column: String) -> String { columns[column] ?? "" }

    /// All that are media and not damaged; nil, and a line printed, where worker or corpus is missing.
    static func all() throws -> [JudgedFile]? {
        guard let bench = WorkerBench(), let entries = try Corpus.entries(), let columns = Corpus.columns() else {
            return nil
        }
        let recogniser = try MediaRecogniser()
        return try entries.filter { !$0.isBad && !$0.isSidecar }.compactMap { entry in
            guard case .facts(let facts) = try bench.read(entry, recogniser) else { return nil }
            guard case .media(let kind) = recogniser.recognise(Sample.ends(entry.bytes), name: entry.name) else {
                return nil
            }
            // No name and no modification time: only what the bytes say counts here.
            let evidence = FactEvidence(kind: kind, file: facts, name: nil, modified: nil, now: now)
            return JudgedFile(
                path: entry.path, kind: kind, facts: AssetFacts(judging: evidence), columns: columns[entry.path] ?? [:])
        }
    }

    /// After the youngest file of the corpus, before the one that claims to be of 2099.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
}
