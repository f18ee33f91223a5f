import PhotoModel
import Platform

/// The journal held against the catalogue: lines whole, tokens without gaps, the newest where it should be.
package struct JournalAudit: Sendable, Equatable {
    /// Whole lines.
    package private(set) var lineCount = 0
    /// Lines that are no change, halves that a crash left, or damaged: the change stands whole in a later one, or is a gap.
    package private(set) var tornCount = 0
    /// Tokens of which no whole line is there.
    package private(set) var gaps: [ClosedRange<Int64>] = []
    package private(set) var newest: Int64 = 0
    /// Tokens of which a line says that their change is lost, and no other line is there.
    package private(set) var givenUp: [ClosedRange<Int64>] = []
    /// Of damaged lines, by the token that they begin with: the file that they stand in.
    package private(set) var damaged: [Int64: [UInt8]] = [:]

    /// Reads every line; tokens up to `token` must be there.
    ///
    /// Blocks.
    package init(_ reader: JournalReader, upTo token: Int64) throws {
        let index = try reader.index(after: 0)
        (lineCount, tornCount) = (index.lineCount, index.tornCount)
        newest = index.runs.map(\.tokens.upperBound).max() ?? 0
        gaps = index.gaps(upTo: token)
        damaged = index.damaged
        givenUp = index.ordered(after: 0).filter(\.isLost).map(\.tokens)
    }
}

extension JournalAudit {
    /// Itself without gaps of these tokens: their lines are there, and damaged, and that is told already.
    package func passingOver(_ tokens: Set<Int64>) -> JournalAudit {
        var audit = self
        audit.gaps = gaps.without(tokens)
        return audit
    }

    /// How many of the changes up to a token, that of the audit, have a line; one that was written again counts once.
    package func changeCount(upTo token: Int64) -> Int { Int(token) - lackingCount }

    /// How many have none.
    package var lackingCount: Int { gaps.reduce(0) { $0 + $1.count } }
}
