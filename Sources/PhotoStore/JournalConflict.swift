import Platform

/// Two lines of the journal that have one token and do not say the same: one is damaged, or of another library.
package struct JournalConflict: Sendable, Equatable {
    package var token: Int64
    /// The names of the files that they stand in.
    package var months: [[UInt8]]

    /// For a person.
    var places: String { months.map { "journal/\(printable($0))" }.joined(separator: " and ") }
}

extension JournalReader {
    /// The first that is found; nil where every token has one text.
    ///
    /// Only what stands twice is read again: a few lines, unless somebody put a file there.
    func conflict(in runs: [JournalRun]) throws -> JournalConflict? {
        for (index, run) in runs.enumerated() {
            for other in runs[..<index] where other.tokens.overlaps(run.tokens) {
                if let token = try firstDifference(of: run, other) {
                    return JournalConflict(token: token, months: [other.month, run.month])
                }
            }
        }
        return nil
    }

    private func firstDifference(of run: JournalRun, _ other: JournalRun) throws -> Int64? {
        let common = run.tokens.clamped(to: other.tokens)
        var lines = [run, other].map { run in
            JournalLines(self, [JournalRun(month: run.month, offset: run.offset, tokens: common)])
        }
        while let line = try lines[0].next(), let twin = try lines[1].next() {
            if line != twin { return line.token }
        }
        return nil
    }
}
