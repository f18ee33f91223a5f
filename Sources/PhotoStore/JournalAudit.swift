import PhotoModel
import Platform

/// The journal held against the catalogue: lines whole, tokens without gaps, the newest where it should be.
package struct JournalAudit: Sendable, Equatable {
    /// Whole lines.
    package private(set) var lineCount = 0
    /// Lines that are no change: a crash leaves such a half line, and its change stands whole in a later one.
    package private(set) var tornCount = 0
    /// Tokens of which no whole line is there.
    package private(set) var gaps: [ClosedRange<Int64>] = []
    package private(set) var newest: Int64 = 0

    /// Reads every line; tokens up to `token` must be there.
    ///
    /// Blocks.
    package init(_ reader: JournalReader, upTo token: Int64) throws {
        var tokens: [Int64] = []
        for month in try reader.months() {
            try reader.forEachLine(of: month) { bytes in
                if let line = JournalReader.line(bytes) { tokens.append(line.token) } else { tornCount += 1 }
            }
        }
        lineCount = tokens.count
        newest = tokens.max() ?? 0
        gaps = JournalAudit.gaps(in: tokens, upTo: token)
    }

    /// The runs of 1...token that are not among `tokens`.
    static func gaps(in tokens: [Int64], upTo token: Int64) -> [ClosedRange<Int64>] {
        var (gaps, next): ([ClosedRange<Int64>], Int64) = ([], 1)
        for found in tokens.sorted() where found >= next {
            if found > next, next <= token { gaps.append(next...min(found - 1, token)) }
            next = found + 1
        }
        if next <= token { gaps.append(next...token) }
        return gaps
    }
}

extension JournalAudit {
    /// How many of the changes up to a token, that of the audit, have a line; one that was written again counts once.
    package func changeCount(upTo token: Int64) -> Int { Int(token) - gaps.reduce(0) { $0 + $1.count } }
}
