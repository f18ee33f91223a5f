import Platform

/// Lines of the journal in the order of their tokens, each once, read from its files as they are asked for.
package struct JournalLines {
    private let reader: JournalReader
    let runs: [JournalRun]
    /// Two lines of one token that differ, among all of the files.
    let conflict: JournalConflict?
    /// Whether half a line follows the newest.
    let endsTorn: Bool
    private var nextRun = 0
    private var lastToken: Int64 = 0
    private var file: JournalFile?

    init(
        _ reader: JournalReader, _ runs: [JournalRun], conflict: JournalConflict? = nil, endsTorn: Bool = false
    ) {
        (self.reader, self.runs, self.conflict, self.endsTorn) = (reader, runs, conflict, endsTorn)
    }

    /// How many there are in all.
    package var count: Int { runs.reduce(0) { $0 + $1.tokens.count } }
    /// The token of the last one; nil where there is none.
    package var newest: Int64? { runs.last?.tokens.upperBound }

    /// The next one; nil after the last.
    package mutating func next() throws -> JournalLine? {
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
