/// Lines of one file with tokens that follow each other.
struct JournalRun: Sendable, Equatable {
    /// The file's name.
    var month: [UInt8]
    /// Where the first of them, or one before it, begins.
    var offset: Int64
    var tokens: ClosedRange<Int64>
}

/// Where the lines of the journal stand.
///
/// A file is one run, but for what a crash, a clock that was set back or a repair left: so it is a few numbers, however
/// many lines there are.
struct JournalIndex {
    /// In the order of the files.
    private(set) var runs: [JournalRun] = []
    /// Whole lines.
    private(set) var lineCount = 0
    /// Lines that are no change.
    private(set) var tornCount = 0
    /// Whether one of those follows the newest line: its change is in no later one.
    private(set) var endsTorn = false
    private var newest: Int64 = 0

    mutating func addTorn() {
        tornCount += 1
        endsTorn = true
    }

    mutating func add(_ token: Int64, in month: [UInt8], at offset: Int64) {
        lineCount += 1
        if token > newest { (newest, endsTorn) = (token, false) }
        if let last = runs.last, last.month == month, last.tokens.upperBound + 1 == token {
            runs[runs.count - 1].tokens = last.tokens.lowerBound...token
        } else {
            runs.append(JournalRun(month: month, offset: offset, tokens: token...token))
        }
    }

    /// The runs with the tokens after one, in the order of those, each token once.
    func ordered(after token: Int64) -> [JournalRun] {
        var (ordered, next): ([JournalRun], Int64) = ([], token + 1)
        for run in runs.sorted(by: { $0.tokens.lowerBound < $1.tokens.lowerBound })
        where run.tokens.upperBound >= next {
            var run = run
            run.tokens = max(run.tokens.lowerBound, next)...run.tokens.upperBound
            next = run.tokens.upperBound + 1
            ordered.append(run)
        }
        return ordered
    }

    /// The runs of 1...token of which no whole line is there.
    func gaps(upTo token: Int64) -> [ClosedRange<Int64>] {
        var (gaps, next): ([ClosedRange<Int64>], Int64) = ([], 1)
        for found in ordered(after: 0).map(\.tokens) {
            if found.lowerBound > next, next <= token { gaps.append(next...min(found.lowerBound - 1, token)) }
            next = found.upperBound + 1
        }
        if next <= token { gaps.append(next...token) }
        return gaps
    }
}
