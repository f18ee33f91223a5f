import Control
import PhotoModel
import Platform

/// What `cloud evict`, `fetch`, `verify` and `drill` have in common: a line for each original, then the counts.
func moveOriginals(
    _ operation: Operation, _ request: CloudRequest, _ invocation: Invocation
) throws(Problem) -> ExitCode {
    let output = invocation.output
    let line = ProgressLine(output, uptime: invocation.host.machine.uptime)
    defer { line.clear() }
    var (done, byteCount) = (0, Int64(0))
    let end = try invocation.api.stream(operation, body: request, of: CloudLine.self) { row in
        if output.isJSON { return output.json(JSON.encode(row)) }
        guard let outcome = row.outcome else { return line.show { progress(of: row) } }
        (done, byteCount) = (done + 1, byteCount + row.byteCount)
        // Of all originals only those are told of which there is something to say.
        if request.all != true || request.sample != nil || ![.proven, .unchanged].contains(outcome) {
            line.clear()
            output.lines(text(of: row, outcome))
        }
        line.show { "\(counted(done, "original")), \(size(byteCount))" }
    }
    line.clear()
    if output.isJSON {
        output.json(JSON.encode(CloudLine.end(end)))
    } else {
        output.line(done == 0 ? "There is nothing to do." : "In all: \(listed(end)), \(size(byteCount))")
    }
    return exitCode(of: end)
}

/// `beach.heic: 3.1 MB of 4.0 MB`.
func progress(of row: CloudRow) -> String {
    let name = row.originalFilename.map { shown($0, row.originalFilenameBase64) } ?? row.sha256.hexadecimal
    return "\(name): \(size(row.receivedByteCount ?? 0)) of \(size(row.byteCount))"
}

/// One original with what came of it, and the act that mends it.
private func text(of row: CloudRow, _ outcome: CloudRow.Outcome) -> [String] {
    let asset = row.localIdentifier.map { "\($0)" } ?? row.sha256.hexadecimal
    let name = row.originalFilename.map { "  " + shown($0, row.originalFilenameBase64) } ?? ""
    let detail = row.detail.map { "  (\(inert($0)))" } ?? ""
    return ["\(padded(outcome.rawValue, to: 13))  \(asset)\(name), \(size(row.byteCount))\(detail)"]
        + indented(row.fix ?? "")
}

/// Done only if every original is where it should be; what failed weighs more than what was refused.
private func exitCode(of counts: [String: Int]) -> ExitCode {
    let outcomes = counts.filter { $0.value > 0 }.keys.map { CloudRow.Outcome(rawValue: $0) ?? .failed }
    return outcomes.map(exitCode).max { weight($0) < weight($1) } ?? .done
}

private func exitCode(of outcome: CloudRow.Outcome) -> ExitCode {
    switch outcome {
    case .evicted, .fetched, .proven, .restored, .unchanged, .wouldEvict, .wouldFetch, .uploadedAgain: .done
    case .absent, .different: .degraded
    case .refused: .refused
    case .lost, .failed: .failed
    }
}

private func weight(_ code: ExitCode) -> Int { [.degraded, .refused, .failed].firstIndex(of: code) ?? -1 }
