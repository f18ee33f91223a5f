import FoundationEssentials
import PhotoModel

@testable import Media

/// A candidate by its path, what is known of it said in words.
func candidate(
    _ path: String, _ kind: MediaKind? = nil, id: String? = nil, at time: String? = nil, camera: String? = nil,
    burst: String? = nil, movie: EmbeddedMovie? = nil, folder: UInt8 = 0
) -> CandidateFile {
    var facts = AssetFacts()
    facts.contentIdentifier = id
    facts.burstIdentifier = burst
    facts.embeddedMovie = movie
    facts.camera = camera.map { Camera(model: $0) }
    facts.captureDate = time.flatMap { CivilTime(text: "2019-01-02T\($0)") }.map {
        CaptureDate(.local($0), source: .dateTimeOriginal)
    }
    let name = Array(path.utf8)
    let role = SidecarKind(named: name).map(CandidateFile.Role.sidecar) ?? .media(kind ?? kindOfName(name))
    return CandidateFile(key: key(path, folder: folder), role: role, facts: facts)
}

func key(_ path: String, folder: UInt8 = 0) -> SourceKey {
    let uuid = UUID(uuid: (folder, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    return SourceKey(folder: uuid, path: PathBytes(path))
}

private func kindOfName(_ name: [UInt8]) -> MediaKind {
    switch String(decoding: name.suffix, as: UTF8.self) {
    case "jpg", "jpeg": .jpeg
    case "tif": .tiff
    case let word: MediaKind(rawValue: word) ?? .jpeg
    }
}

extension UnitPlan {
    /// Every unit of more than one file in a line: `1 IMG.JPG + 9 IMG.MOV`; single files by name alone.
    var lines: [String] { Self.lines(of: units) }

    static func lines(of units: [MediaUnit]) -> [String] {
        units.map { unit in
            guard unit.resources.count > 1 else {
                return unit.primary.line.split(separator: " ").last.map(String.init) ?? ""
            }
            return unit.resources.map(\.line).joined(separator: " + ")
        }
    }
}

extension UnitResource {
    fileprivate var line: String { "\(type.rawValue) \(String(decoding: file.path.bytes, as: UTF8.self))" }
}
