package import PhotoModel

/// `POST /v1/undo`.
package struct UndoRequest: Codable, Sendable, Equatable {
    /// The change to reverse.
    package var token: Int64
    /// Only tell what would be done.
    package var isDryRun: Bool?
    /// Put the files back at their paths that albumd has removed.
    package var putsBack: Bool?

    package init(token: Int64, isDryRun: Bool? = nil, putsBack: Bool? = nil) {
        self.token = token
        self.isDryRun = isDryRun
        self.putsBack = putsBack
    }
}

/// What an undo did, or would do.
package struct UndoResult: Codable, Sendable, Equatable {
    /// The token of the change that it is itself; absent where nothing was changed.
    package var token: Int64?
    package var changes: [ChangeRequest]
    /// What could not be undone, one sentence each.
    package var remarks: [String]
    package var putBack: [PutBackRow]

    package init(token: Int64?, changes: [ChangeRequest], remarks: [String], putBack: [PutBackRow]) {
        self.token = token
        self.changes = changes
        self.remarks = remarks
        self.putBack = putBack
    }
}

/// A file that was to be put back.
package struct PutBackRow: Codable, Sendable, Equatable {
    package var path: String
    package var pathBase64: String?
    /// Why it is not there; absent where it is.
    package var problem: String?

    package init(_ path: PathBytes, problem: String?) {
        let name = Name(path)
        (self.path, pathBase64) = (name.text, name.base64)
        self.problem = problem
    }
}
