/// Lines of one file with tokens that follow each other.
struct JournalRun: Sendable, Equatable {
    /// The file's name.
    var month: [UInt8]
    /// Where the first of them, or one before it, begins.
    var offset: Int64
    var tokens: ClosedRange<Int64>
    /// Whether these lines stand for lost changes.
    var isLost = false
}

/// Where the lines of the journal stand.
///
/// A file is one run, but for what a crash, a clock that was set back or a repair left: so it is a few numbers, however
/// many lines there are.
struct JournalIndex {
    /// In the order of the files.
    private(set) var runs: [JournalRun] = []
    /// Those of lines that stand for lost changes: read where no other line has the token.
    private(set) var lostRuns: [JournalRun] = []
    /// Whole lines.
    private(set) var lineCount = 0
    /// Lines that are no change.
    private(set) var tornCount = 0
    /// Whether one of those follows the newest line: its change is in no later one.
    private(set) var endsTorn = false
    /// Of damaged lines, by the token that they begin with: the file that they stand in.
    private(set) var damaged: [Int64: [UInt8]] = [:]
    private var newest: Int64 = 0

    /// The token is what the line begins with.
    mutating func addTorn(_ token: Int64?, in month: [UInt8]) {
        tornCount += 1
        endsTorn = true
        if let token, damaged.count < 1000 { damaged[token] = damaged[token] ?? month }
    }

    mutating func add(_ token: Int64, in month: [UInt8], at offset: Int64, isLost: Bool = false) {
        lineCount += 1
        if token > newest { (newest, endsTorn) = (token, false) }
        let run = JournalRun(month: month, offset: offset, tokens: token...token, isLost: isLost)
        if isLost { append(run, to: &lostRuns) } else { append(run, to: &runs) }
    }

    private func append(_ run: JournalRun, to runs: inout [JournalRun]) {
        if let last = runs.last, last.month == run.month, last.tokens.upperBound + 1 == run.tokens.lowerBound {
            runs[runs.count - 1].tokens = last.tokens.lowerBound...run.tokens.upperBound
        } else {
            runs.append(run)
        }
    }

    /// The runs with the tokens after one, in the order of those, each token once.
    ///
    /// A line that stands for a lost change is taken where there is no other alone.
    func ordered(after token: Int64) -> [JournalRun] {
        let whole = JournalIndex.ordered(runs, after: token)
        guard !lostRuns.isEmpty else { return whole }
        var (ordered, next): ([JournalRun], Int64) = ([], token + 1)
        let lost = JournalIndex.ordered(lostRuns, after: token)
        for run in whole {
            ordered += lost.compactMap { $0.clipped(to: next, before: run.tokens.lowerBound) }
            ordered.append(run)
            next = run.tokens.upperBound + 1
        }
        return ordered + lost.compactMap { $0.clipped(to: next, before: .max) }
    }

    private static func ordered(_ runs: [JournalRun], after token: Int64) -> [JournalRun] {
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

extension JournalRun {
    /// What of it lies from a token on and before another; nil where nothing does.
    fileprivate func clipped(to first: Int64, before end: Int64) -> JournalRun? {
        let (lower, upper) = (max(tokens.lowerBound, first), min(tokens.upperBound, end - 1))
        guard lower <= upper else { return nil }
        var run = self
        run.tokens = lower...upper
        return run
    }
}
