import Control
import FoundationEssentials
import Importing
import PhotoModel
import Platform

/// What was asked, its paths read.
struct SafetyInquiry: Sendable {
    struct File: Sendable {
        var question: SafetyQuestion
        var path: PathBytes?

        var hash: ContentHash { question.sha256 }
    }

    let files: [File]

    init(_ request: SafetyRequest) throws(Problem) {
        guard (1...SafetyRequest.limit).contains(request.files.count) else {
            throw .badRequest("files must be from 1 to \(SafetyRequest.limit)")
        }
        var files: [File] = []
        for question in request.files {
            files.append(File(question: question, path: try Name.bytes(question.path, question.pathBase64)))
        }
        self.files = files
    }

    var hashes: [ContentHash] { Set(files.map(\.hash)).sorted() }
}

/// A folder with `on_source_deleted = "trash"`; it has no identifier before it was online once.
struct MirroredFolder: Sendable {
    var folder: UUID?
    var paths: [PathBytes]
    var ignore = IgnoreRules([])

    /// The rest of a path that lies in it.
    func rest(of path: PathBytes) -> PathBytes? {
        for root in paths {
            let start = root.bytes.last == UInt8(ascii: "/") ? root.bytes : root.bytes + [UInt8(ascii: "/")]
            if path.bytes.starts(with: start) { return PathBytes(Array(path.bytes[start.count...])) }
        }
        return nil
    }
}
