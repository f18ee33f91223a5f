package import FoundationEssentials
import PhotoModel
import Platform

/// What a lost catalogue is made anew from.
package struct RebuildPlan: Sendable, Equatable {
    /// The newest good snapshot, and the token that it reaches; nil where the rebuild begins empty.
    package var snapshot: String?
    package var snapshotToken: Int64 = 0
    /// The lines of the journal beyond that.
    package var lineCount = 0
    /// Where those stand.
    var runs: [JournalRun] = []
    /// The newest token of snapshot and journal.
    package var newestToken: Int64 = 0
    /// Tokens that neither has.
    package var missingTokens: Int64 = 0
    /// Whether there are originals or a journal, and neither a snapshot nor one line to read.
    package var isBlank = false
    /// Two lines of the journal that contradict each other.
    package var conflict: JournalConflict?
    /// Whether the journal ends in half a line, whose change is lost.
    package var isTorn = false
    /// Whether there may be snapshots, and none is taken: they may have rows that were found wrong.
    package var passesOverSnapshots = false

    /// Whether it gives back everything that was durable.
    package var isComplete: Bool { missingTokens == 0 && !isBlank && conflict == nil }
}

/// What a rebuild gave back.
package struct RebuildReport: Sendable, Equatable, Encodable {
    package var date: Date
    /// The name that the old catalogue has now; nil where there was none.
    package var setAside: String?
    package var snapshot: String?
    package var lineCount: Int
    /// Requests that could not be applied, since what they build on is lost.
    package var skippedRequests: Int
    /// Whether the journal ended in half a line, whose change is lost.
    package var isTorn: Bool
    package var contents: CatalogueContents
}

extension RebuildReport {
    /// For log and status.
    package var sentence: String {
        let kept = setAside.map { "was damaged and was rebuilt; it is kept as \($0)" } ?? "was gone and was rebuilt"
        let begin = snapshot.map { "the snapshot \($0)" } ?? "nothing"
        return "the catalogue \(kept) (from \(begin) and \(counted(lineCount, "change")) of the journal): "
            + "\(counted(contents.assets, "asset")), \(counted(contents.albums, "album")), "
            + "\(counted(contents.mappings, "mapping"))"
            + (isTorn ? "; the journal ended in half a line, whose change is lost" : "")
    }
}

/// How much a catalogue has.
package struct CatalogueContents: Sendable, Equatable, Codable {
    package var assets: Int
    package var recentlyDeleted: Int
    package var albums: Int
    /// Sources and callers' own identifiers that are mapped to an asset.
    package var mappings: Int
    /// Sources of assets that were deleted: they do not come back by themselves.
    package var tombstones: Int
}

/// Told while lines are applied: how many of how many.
package typealias RebuildProgress = @Sendable (_ done: Int, _ all: Int) -> Void
