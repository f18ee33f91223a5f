import Platform

/// Lines of the journal in the order of their tokens, each once, read from its files as they are asked for.
package struct JournalLines {
    private let reader: JournalReader
    let runs: [JournalRun]
    /// Two lines of one token that differ, among all of the files.
    let conflict: JournalConflict?
    /// Whether half a line follows the newest.
    let endsTorn: Bool
    /// Of the damaged lines among them.
    let damaged: [Int64: [UInt8]]
    /// Lines from elsewhere, of tokens that no run has, or as lost.
    private var brought: ArraySlice<JournalLine>
    private var nextRun = 0
    private var lastToken: Int64 = 0
    private var file: JournalFile?

    init(
        _ reader: JournalReader, _ runs: [JournalRun], brought: [JournalLine] = [], conflict: JournalConflict? = nil,
        endsTorn: Bool = false, damaged: [Int64: [UInt8]] = [:]
    ) {
        (self.reader, self.runs, self.conflict, self.endsTorn) = (reader, runs, conflict, endsTorn)
        (self.brought, self.damaged) = (brought[...], damaged)
        let own = brought.count { line in !runs.contains { $0.tokens.contains(line.token) } }
        count = runs.reduce(own) { $0 + $1.tokens.count }
    }

    /// How many there are in all.
    package let count: Int
    /// The token of the last one; nil where there is none.
    package var newest: Int64? { runs.last?.tokens.upperBound }

    /// Tokens after one, up to the newest, of which no whole line is there.
    func missing(after token: Int64) -> [ClosedRange<Int64>] {
        var (missing, next): ([ClosedRange<Int64>], Int64) = ([], token + 1)
        for tokens in runs.map(\.tokens) {
            if tokens.lowerBound > next { missing.append(next...tokens.lowerBound - 1) }
            next = tokens.upperBound + 1
        }
        return missing
    }

    /// The next one; nil after the last.
    package mutating func next() throws -> JournalLine? {
        while nextRun < runs.count, runs[nextRun].tokens.upperBound <= lastToken {
            (nextRun, file) = (nextRun + 1, nil)
        }
        let following = nextRun < runs.count ? max(lastToken + 1, runs[nextRun].tokens.lowerBound) : .max
        if let line = brought.first, line.token <= following {
            (brought, lastToken) = (brought.dropFirst(), line.token)
            return line
        }
        guard nextRun < runs.count else { return nil }
        let run = runs[nextRun]
        let token = max(lastToken + 1, run.tokens.lowerBound)
        var file = try self.file ?? reader.open(run.month, at: run.offset)
        while let bytes = try file.next()?.bytes {
            guard let line = JournalReader.line(bytes), line.token == token, line.isLost == run.isLost
            else { continue }
            let isLast = token == run.tokens.upperBound
            self.file = isLast ? nil : file
            nextRun += isLast ? 1 : 0
            lastToken = token
            return line
        }
        // The file was changed since it was looked at.
        throw LibraryError.journalIncomplete(upTo: token)
    }
}
