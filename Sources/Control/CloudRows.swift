package import PhotoModel

/// The body of what moves, proves or tries originals: of assets, or of all.
package struct CloudRequest: Codable, Sendable, Equatable {
    package var subjects: [SubjectRequest]?
    package var all: Bool?
    package var isDryRun: Bool?
    /// So many originals, chosen by chance; for a drill.
    package var sample: Int?
    /// Of the subjects, only the originals with these bytes: an edited photo has more than one.
    package var sha256: [ContentHash]?

    package init(
        subjects: [SubjectRequest]? = nil, all: Bool? = nil, isDryRun: Bool? = nil, sample: Int? = nil,
        sha256: [ContentHash]? = nil
    ) {
        (self.subjects, self.all, self.isDryRun, self.sample) = (subjects, all, isDryRun, sample)
        self.sha256 = sha256
    }
}

/// A line of a move: how far an original is, or what came of it.
package struct CloudRow: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case evicted
        case fetched
        case proven
        /// A drill brought its bytes, and they are right.
        case restored
        /// It was so already.
        case unchanged
        case wouldEvict
        case wouldFetch
        case wouldRestore
        /// It has a photo again.
        case recovered
        case wouldRecover
        case absent
        case different
        case uploadedAgain
        /// A snapshot in the store that rotted, and that the library has no more.
        case deleted
        case lost
        case refused
        case failed
    }

    package var localIdentifier: LocalIdentifier?
    /// Absent while it is on its way.
    package var outcome: Outcome?
    /// Absent only where the history could not be read.
    package var sha256: ContentHash?
    /// Of a part of the library's history its key in the store; such a row is no original, and is not in the counts.
    package var object: String?
    /// Of an edited photo which of its versions this is: `original`, `current`, or its place among them.
    package var version: String?
    package var originalFilename: String?
    package var originalFilenameBase64: String?
    package var byteCount: Int64
    /// Of these, so many have come.
    package var receivedByteCount: Int64?
    /// A word for programs: why it was refused, or which kind of failure.
    package var reason: String?
    package var detail: String?
    package var fix: String?

    package init(sha256: ContentHash?, byteCount: Int64) { (self.sha256, self.byteCount) = (sha256, byteCount) }
}

/// A line of `POST /v1/cloud/evict`, `fetch`, `verify`, `drill` and `recover`; the end counts the originals by outcome.
package typealias CloudLine = StreamLine<CloudRow, [String: Int]>
