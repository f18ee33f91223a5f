package import PhotoModel

/// The body of `POST /v1/dates/repair`.
package struct DateRepairRequest: Codable, Sendable, Equatable {
    /// An album's identifier, or a title that exactly one has.
    package var album: String
    /// Only tell what would be done.
    package var isDryRun: Bool?

    package init(album: String, isDryRun: Bool? = nil) {
        self.album = album
        self.isDryRun = isDryRun
    }
}

/// A wall clock that gets its zone.
package struct DateRepairRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier
    package var originalFilename: String
    package var originalFilenameBase64: String?
    package var proof: ZoneProof

    package init(_ localIdentifier: LocalIdentifier, name: PathBytes, proof: ZoneProof) {
        self.localIdentifier = localIdentifier
        let name = Name(name)
        (originalFilename, originalFilenameBase64) = (name.text, name.base64)
        self.proof = proof
    }
}

/// What a repair of dates did, or would do.
package struct DateRepairResult: Codable, Sendable, Equatable {
    package var rows: [DateRepairRow]
    /// Photos whose clock says no zone either, and of which nothing proves one: they stay as they are.
    package var unprovenCount: Int
    /// Whether there are more than one change takes: the next repair goes on.
    package var isMore: Bool
    /// The change's token, for `undo`; absent where nothing was changed.
    package var token: Int64?

    package init(rows: [DateRepairRow], unprovenCount: Int, isMore: Bool, token: Int64? = nil) {
        self.rows = rows
        self.unprovenCount = unprovenCount
        self.isMore = isMore
        self.token = token
    }
}
