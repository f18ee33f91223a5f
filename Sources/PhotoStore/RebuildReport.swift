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
    package var missing: [ClosedRange<Int64>] = []
    /// Of damaged lines, by the token that they begin with: the file that they stand in.
    var damaged: [Int64: [UInt8]] = [:]
    /// Tokens of which the journal says that their change is lost: what does not follow from there on is passed over.
    package var lostTokens: [ClosedRange<Int64>] = []
    /// Changes that neither has, from elsewhere.
    package var brought: [FoundChange] = []
    /// Whether the cloud, where there is one, was asked for them.
    var wasCloudAsked = false
    /// Whether there are originals or a journal, and neither a snapshot nor one line to read.
    package var isBlank = false
    /// Two lines of the journal that contradict each other.
    package var conflict: JournalConflict?
    /// Whether the journal ends in half a line, whose change is lost.
    package var isTorn = false
    /// Whether there may be snapshots, and none is taken: they may have rows that were found wrong.
    package var passesOverSnapshots = false

    /// How many tokens neither has.
    package var missingTokens: Int64 { missing.reduce(0) { $0 + Int64($1.count) } }

    /// Whether it gives back everything that was durable.
    package var isComplete: Bool { missingTokens == 0 && !isBlank && conflict == nil }
}

extension RebuildPlan {
    /// Takes changes that were found elsewhere.
    mutating func take(_ found: [FoundChange]) {
        let wanted = missing + lostTokens
        let new = found.filter { change in
            change.line.token > snapshotToken && wanted.contains { $0.contains(change.line.token) }
        }
        brought = new.sorted { $0.line.token < $1.line.token }
        let tokens = Set(brought.map(\.line.token))
        lineCount += tokens.count { token in missing.contains { $0.contains(token) } }
        (missing, lostTokens) = (missing.without(tokens), lostTokens.without(tokens))
    }

    package var missingText: String { LostLines(tokens: missing, damaged: damaged).text }
}

extension [ClosedRange<Int64>] {
    /// The same without some tokens.
    func without(_ tokens: Set<Int64>) -> [ClosedRange<Int64>] {
        tokens.sorted().reduce(self) { ranges, token in
            ranges.flatMap { range in
                guard range.contains(token) else { return [range] }
                return (range.lowerBound < token ? [range.lowerBound...token - 1] : [])
                    + (token < range.upperBound ? [token + 1...range.upperBound] : [])
            }
        }
    }
}

/// What a rebuild gave back, or would.
package struct RebuildReport: Sendable, Equatable {
    package var date: Date
    /// The name that the old catalogue has now; nil where there was none.
    package var setAside: String?
    package var snapshot: String?
    package var lineCount: Int
    /// Requests that could not be applied, since what they build on is lost.
    package var skippedRequests: Int
    /// Changes that the catalogue was made without.
    package var lostChanges: Int
    /// Those that came from elsewhere.
    package var brought: [FoundChange]
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
            + (lostChanges + skippedRequests == 0 ? "" : "; \(loss)")
            + (isTorn ? "; the journal ended in half a line, whose change is lost" : "")
    }
}

extension RebuildReport {
    /// What was given up, at this rebuild or before.
    package var loss: String {
        "\(counted(lostChanges, "change", one: "is", many: "are")) lost, and "
            + "\(counted(skippedRequests, "request")) that build on what is lost could not be applied"
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
