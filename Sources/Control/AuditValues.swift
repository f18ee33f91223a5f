package import PhotoModel

/// `POST /v1/verify`: how thorough.
package struct VerifyRequest: Codable, Sendable, Equatable {
    /// Whether originals are read and hashed, and not only looked at.
    package var deep: Bool?
    /// Reads so many per cent of them, others at each run; `deep` alone reads all.
    package var samplePercent: Double?
    package var bytesPerSecond: Int64?
    /// Goes on where a `deep` that was not ended stopped.
    package var resume: Bool?

    package init() {}
}

/// What a verification found.
package enum VerifyFinding: String, Codable, Sendable, CaseIterable {
    case missing
    case corrupt
    /// It was missing, corrupt or unreadable, and is as it should be.
    case soundAgain
    /// It cannot be read now; remembered as corrupt.
    case unreadable
    /// It should be in the cloud, and neither the disk nor the cloud has it.
    case lost
    case orphan
    /// It was deleted for good, and is still there: no fault of what is kept.
    case unremoved
    case journalGap
    case journalBehind
    /// A line of the journal is damaged that the history has whole, or the other way round.
    case journalDamaged
    case historyDamaged
    /// They differ, and each could be right.
    case historyDiffers
    /// The catalogue was made without it, and nothing says yet that no place has it whole.
    case changeLost
    case catalogueDamaged
    /// A row of the catalogue is not what its history makes.
    case catalogueDiffers
    /// The rows could not be held against the history: no fault.
    case catalogueNotCompared
}

/// A finding, or, without one, how far it is.
package struct VerifyRow: Codable, Sendable, Equatable {
    package var localIdentifier: LocalIdentifier?
    package var finding: VerifyFinding?
    /// The file's place below the library.
    package var path: String?
    package var sha256: ContentHash?
    package var originalFilename: String?
    package var detail: String?
    package var fix: String?
    /// Originals looked at so far, of how many, and bytes that were read.
    package var checked: Int
    package var total: Int
    package var byteCount: Int64
    /// While the history is made again, to compare it with the catalogue: so many changes so far, of how many.
    package var replayed: Int64?
    package var changes: Int64?

    package init(_ finding: VerifyFinding? = nil, checked: Int, total: Int, byteCount: Int64) {
        (self.finding, self.checked, self.total, self.byteCount) = (finding, checked, total, byteCount)
    }
}

/// How a verification ended.
package struct VerifyEnd: Codable, Sendable, Equatable {
    /// Whether nothing is missing, corrupt or unreadable, the journal is whole, and the catalogue right; an orphan is no
    /// fault, unless the history names it.
    package var isSound: Bool
    package var checked: Int
    /// Originals that are in the cloud alone, and were not looked at: `cloud verify` does that.
    package var inCloudCount: Int
    package var hashed: Int
    package var byteCount: Int64
    /// Changes in the journal.
    package var journalLines: Int
    /// How many of each finding.
    package var findings: [String: Int]

    package init() {
        (isSound, checked, inCloudCount, hashed, byteCount, journalLines, findings) = (true, 0, 0, 0, 0, 0, [:])
    }
}

/// A line of `POST /v1/verify`.
package typealias VerifyLine = StreamLine<VerifyRow, VerifyEnd>

/// `POST /v1/repair`: nothing in it is the repair itself.
package struct RepairRequest: Codable, Sendable, Equatable {
    package var dryRun: Bool?
    /// Deletes the originals that no row names, and repairs nothing.
    package var discardOrphans: Bool?
    /// The side that is right, in a person's word, where a change is not the same on both and each could be.
    package var history: HistorySide?

    package init(dryRun: Bool? = nil, discardOrphans: Bool? = nil, history: HistorySide? = nil) {
        (self.dryRun, self.discardOrphans, self.history) = (dryRun, discardOrphans, history)
    }
}

/// Where a change of the history stands.
package enum HistorySide: String, Codable, Sendable, CaseIterable {
    case catalogue
    case journal
}

/// What a repair did, or would do, with one original.
package struct RepairRow: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case repaired
        case wouldRepair
        /// It was sound already.
        case sound
        /// Nothing that can be reached has the bytes.
        case lost
        case failed
        case discarded
        case wouldDiscard
        /// An orphan whose bytes an original may need, or that the history names.
        case kept
    }

    package var localIdentifier: LocalIdentifier?
    package var outcome: Outcome
    /// The original's place below the library; `journal` or `catalogue.sqlite` for a change of the history.
    package var path: String
    package var sha256: ContentHash?
    package var originalFilename: String?
    /// Where the bytes came from.
    package var source: String?
    package var sourceBase64: String?
    package var detail: String?
    package var fix: String?

    package init(_ outcome: Outcome, path: PathBytes, sha256: ContentHash?) {
        (self.outcome, self.path, self.sha256) = (outcome, Name(path).text, sha256)
    }
}

/// A line of `POST /v1/repair`; the end counts the originals by outcome.
package typealias RepairLine = StreamLine<RepairRow, [String: Int]>
