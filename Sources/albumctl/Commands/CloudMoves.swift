import Control
import PhotoModel
import Platform

/// For a request that names originals, or means all of them.
func moveOriginals(
    _ operation: Operation, _ request: CloudRequest, _ invocation: Invocation
) throws(Problem) -> ExitCode {
    try moveOriginals(operation, request, isOfAll: request.all == true && request.sample == nil, invocation)
}

/// What `cloud evict`, `fetch`, `verify`, `drill` and `recover` have in common: a line for each original, then the counts.
///
/// Of all of them (`isOfAll`) only those are told of which there is something to say.
func moveOriginals(
    _ operation: Operation, _ request: some Encodable, isOfAll: Bool, _ invocation: Invocation
) throws(Problem) -> ExitCode {
    let output = invocation.output
    let line = ProgressLine(output, uptime: invocation.host.machine.uptime)
    defer { line.clear() }
    var tally = MoveTally()
    let end = try invocation.api.stream(operation, body: request, of: CloudLine.self) { row in
        tally.add(row)
        if output.isJSON { return output.json(JSON.encode(row)) }
        guard let outcome = row.outcome else { return line.show { progress(of: row) } }
        let isNamed = row.object == nil && !isOfAll
        if isNamed || ![.proven, .unchanged].contains(outcome) {
            line.clear()
            output.lines(originalLines(row))
        }
        line.show { tally.text }
    }
    line.clear()
    if output.isJSON { output.json(JSON.encode(CloudLine.end(end))) } else { output.lines(tally.lines(of: end)) }
    return exitCode(of: end.merging(tally.history, uniquingKeysWith: +))
}

/// What has been told so far.
private struct MoveTally {
    private var originals = 0
    private var byteCount: Int64 = 0
    /// Parts of the history by outcome.
    private(set) var history: [String: Int] = [:]

    mutating func add(_ row: CloudRow) {
        guard let outcome = row.outcome else { return }
        guard row.object == nil else {
            history[outcome.rawValue, default: 0] += 1
            return
        }
        (originals, byteCount) = (originals + 1, byteCount + row.byteCount)
    }

    var text: String { "\(counted(originals, "original")), \(size(byteCount))" }

    func lines(of end: [String: Int]) -> [String] {
        let what = originals == 0 ? "There is nothing to do." : "In all: \(listed(end)), \(size(byteCount))"
        return history.isEmpty ? [what] : [what, "The library's history there: \(listed(history))"]
    }
}

/// `beach.heic: 3.1 MB of 4.0 MB`.
func progress(of row: CloudRow) -> String {
    let name = row.originalFilename.map { shown($0, row.originalFilenameBase64) } ?? subject(row)
    return "\(name): \(size(row.receivedByteCount ?? 0)) of \(size(row.byteCount))"
}

/// One original with what came of it, and the act that mends it.
func originalLines(_ row: CloudRow) -> [String] {
    let outcome = row.outcome ?? .failed
    let version = row.version.map { " (\(inert($0)))" } ?? ""
    let name = row.originalFilename.map { "  " + shown($0, row.originalFilenameBase64) + version } ?? ""
    let detail = row.detail.map { "  (\(inert($0)))" } ?? ""
    return ["\(padded(outcome.rawValue, to: 13))  \(subject(row))\(name), \(size(row.byteCount))\(detail)"]
        + indented(row.fix ?? "")
}

/// An asset, or an object of the store.
private func subject(_ row: CloudRow) -> String {
    row.localIdentifier.map { "\($0)" } ?? row.object.map { inert($0) } ?? row.sha256?.hexadecimal ?? "-"
}

/// Done only if every original is where it should be; what failed weighs more than what was refused.
private func exitCode(of counts: [String: Int]) -> ExitCode {
    let outcomes = counts.filter { $0.value > 0 }.keys.map { CloudRow.Outcome(rawValue: $0) ?? .failed }
    return outcomes.map(exitCode).max { weight($0) < weight($1) } ?? .done
}

private func exitCode(of outcome: CloudRow.Outcome) -> ExitCode {
    switch outcome {
    case .evicted, .fetched, .proven, .restored, .recovered, .unchanged, .wouldEvict, .wouldFetch, .wouldRestore,
        .wouldRecover, .uploadedAgain, .deleted:
        .done
    case .absent, .different: .degraded
    case .refused: .refused
    case .lost, .failed: .failed
    }
}

private func weight(_ code: ExitCode) -> Int { [.degraded, .refused, .failed].firstIndex(of: code) ?? -1 }
