import FoundationEssentials
import MediaFacts
import PhotoModel

@testable import Media

/// Testing has a Tag of its own.
typealias Tags = [MediaFacts.Tag: String]

/// The day on which the tests look at their files.
let judgementDay = Date(microseconds: 1_796_004_069_000_000)

/// The facts of a file of which only these tags are known.
func judged(
    _ tags: Tags, kind: MediaKind = .jpeg, name: String? = nil, modified: Date? = nil,
    xmp: Tags = [:], takeout: TakeoutSidecar? = nil, file: FileFacts = FileFacts()
) -> AssetFacts {
    var file = file
    file.tags.merge(tags) { $1 }
    return AssetFacts(
        judging: FactEvidence(
            kind: kind, file: file, name: name.map { Array($0.utf8) }, modified: modified, xmpSidecar: xmp,
            takeoutSidecar: takeout, now: judgementDay))
}

extension CaptureDate {
    /// Local time, offset, source and finest part in one line, to compare tables by.
    var line: String {
        let time =
            localTime.map { short($0.text) } ?? instant.map { short($0.rfc3339.replacing("Z", with: "")) + "Z" } ?? ""
        let zone = offset.map { " \($0 < 0 ? "-" : "+")\(abs($0) / 3600):\(abs($0) / 60 % 60)" } ?? ""
        return "\(time)\(zone) \(source.rawValue)\(precision == .second ? "" : " (\(precision.rawValue))")"
    }

    private func short(_ text: String) -> String { text.replacing(".000000", with: "") }
}
