package import FoundationEssentials
package import PhotoModel

/// Names a source, or whatever else a request is about: an absolute path, an identifier, or a caller's own identifier.
package struct SubjectRequest: Codable, Sendable, Hashable {
    package var path: String?
    /// For bytes that are not UTF-8.
    package var pathBase64: String?
    package var localIdentifier: LocalIdentifier?
    package var externalIdentifier: String?
    /// `retry` alone: everything that waits.
    package var all: Bool?

    package init() {}

    package init(path: PathBytes) {
        let name = Name(path)
        if name.base64 == nil { self.path = name.text }
        pathBase64 = name.base64
    }

    package init(localIdentifier: LocalIdentifier) { self.localIdentifier = localIdentifier }
    package init(externalIdentifier: String) { self.externalIdentifier = externalIdentifier }
}

/// A mapping in JSON.
package struct MappingRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier?
    package var state: MappingState
    /// The source's absolute path; absent for a mapping of an external identifier alone.
    package var path: String?
    package var pathBase64: String?
    package var folder: String?
    package var externalIdentifier: String?
    package var outcome: Outcome?
    package var reason: Reason?
    package var sha256: ContentHash?
    package var byteCount: Int64?
    /// Since when the file is known to be gone.
    package var departedDate: Date?

    package init(localIdentifier: LocalIdentifier?, state: MappingState) {
        self.localIdentifier = localIdentifier
        self.state = state
    }
}

/// Every mapping that a question found.
package struct MappingResult: Codable, Sendable, Equatable {
    /// The answer in one word: `absent` where `rows` is empty.
    package var state: MappingState
    package var rows: [MappingRow]

    package init(state: MappingState, rows: [MappingRow]) {
        self.state = state
        self.rows = rows
    }
}

/// One source that waits, or that somebody must act for.
package struct PendingRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier?
    package var path: String
    package var pathBase64: String?
    package var outcome: Outcome
    package var reason: Reason
    package var detail: String?
    /// Since when, as well as is known.
    package var since: Date?
    /// When it is looked at again by itself.
    package var retryDate: Date?

    package init(path: PathBytes, outcome: Outcome, reason: Reason, detail: String?, since: Date?, retryDate: Date?) {
        let name = Name(path)
        self.path = name.text
        pathBase64 = name.base64
        self.outcome = outcome
        self.reason = reason
        self.detail = detail
        self.since = since
        self.retryDate = retryDate
    }
}

/// The story of one file or asset.
package struct WhyReport: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier?
    package var path: String?
    package var pathBase64: String?
    /// One sentence: what it is now.
    package var summary: String
    /// What it waits for, while it is a candidate.
    package var waiting: PendingRow?
    package var mappings: [MappingRow]
    package var asset: AssetRow?
    package var albums: [AlbumRow]
    package var events: [StoryLine]

    package init(summary: String) {
        self.summary = summary
        mappings = []
        albums = []
        events = []
    }
}

package struct StoryLine: Codable, Sendable, Equatable {
    package var date: Date
    package var text: String

    package init(date: Date, text: String) {
        self.date = date
        self.text = text
    }
}

/// One file in a plan: what the rules would do to it now.
package struct PlanRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier?
    package var path: String
    package var pathBase64: String?
    /// The outcome that an import would come to; absent for `unchanged`.
    package var outcome: Outcome?
    package var reason: Reason?
    package var isUnchanged: Bool
    /// For a file that is gone: `trash` or `hold`, what would become of its asset.
    package var deletion: String?
    package var album: String?
    package var mode: String
    package var detail: String?

    package init(path: PathBytes, mode: String) {
        let name = Name(path)
        self.path = name.text
        pathBase64 = name.base64
        isUnchanged = false
        self.mode = mode
    }
}
