import Control
import FoundationEssentials
import Glibc
import PhotoModel
import Platform
import TestSupport
import Testing

/// A file as a test put it into a folder.
struct Drop: Sendable {
    /// Absolute.
    var path: String
    var bytes: [UInt8]

    var hash: ContentHash { sha256(bytes) }
}

/// What other programs do to a folder.
extension Albumd {
    /// Writes a file in place.
    @discardableResult
    func drop(_ name: String, _ bytes: [UInt8], in folder: String = "inbox") throws -> Drop {
        let path = path(name, in: folder)
        try other.write(path, bytes)
        return Drop(path: path, bytes: bytes)
    }

    /// Writes numbered JPEGs in place.
    @discardableResult
    func dropPictures(
        _ numbers: Range<Int>, in folder: String = "inbox", name: String = "IMG", byteCount: Int = 0
    ) throws -> [Drop] {
        try numbers.map {
            try drop("\(name)_\($0).jpg", SampleMedia.jpeg($0, byteCount: byteCount), in: folder)
        }
    }

    /// Makes the directory and all above it, below the scratch folder.
    func makeDirectories(_ name: String, in folder: String = "inbox") throws {
        var path = self.path("", in: folder)
        for part in name.split(separator: "/") {
            path += part + "/"
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
                throw FileError(code: errno, verb: "mkdir", path: Array(path.utf8))
            }
        }
    }
}

/// Whether every drop is mapped to a live asset whose original has exactly its bytes.
func expectImported(
    _ drops: [Drop], by albumd: Albumd, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for drop in drops {
        guard let row = try albumd.mapping(drop.path), let identifier = row.localIdentifier else {
            Issue.record("\(try albumd.why(drop.path).summary) (\(drop.path))", sourceLocation: sourceLocation)
            continue
        }
        #expect(row.state == .live && row.sha256 == drop.hash, sourceLocation: sourceLocation)
        let same = try albumd.original(identifier) == drop.bytes
        #expect(same, "the original of \(drop.path) has other bytes", sourceLocation: sourceLocation)
    }
}

func sha256(_ bytes: [UInt8]) -> ContentHash {
    var hasher = ContentHasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    guard let hash = ContentHash(bytes: hasher.finish()) else { preconditionFailure("SHA-256 has 32 bytes") }
    return hash
}
