import Control
import PhotoModel
import Platform

extension Command {
    static let plan = Command(
        name: "plan", summary: "tell what the rules would do to what lies in the folders now, changing nothing",
        operands: "[FOLDER]", operandCount: 0...1,
        about: """
            One line for each file: the outcome it would have, the reason, the file, its album. With --json each line
            is a row, and the last line is {"end": …} with the counts, or {"error": …}.
            """,
        examples: [
            Example("albumctl plan", "every file of every folder"),
            Example(
                "albumctl plan /srv/photos/inbox --json | jq -r 'select(.outcome == \"skipped\") | .path'",
                "what would not be taken"),
        ],
        run: { (invocation) throws(Problem) in
            let request = FolderRequest(path: try folderPath(invocation))
            return try showPlan(invocation, request, onlyDifferences: false)
        })
}

/// Streams a plan: rows as they come, then the counts.
func showPlan(
    _ invocation: Invocation, _ request: FolderRequest, onlyDifferences: Bool
) throws(Problem) -> ExitCode {
    let output = invocation.output
    let line = ProgressLine(output, uptime: invocation.host.machine.uptime)
    var seen = 0
    let end = try invocation.api.stream(.plan, body: request, of: PlanLine.self) { row in
        seen += 1
        line.show { "\(seen) files" }
        guard !(onlyDifferences && row.isUnchanged) else { return }
        line.clear()
        if output.isJSON { output.json(JSON.encode(row)) } else { output.line(text(of: row)) }
    }
    line.clear()
    guard !output.isJSON else {
        output.json(JSON.encode(PlanLine.end(end)))
        return .done
    }
    let counts = listed(onlyDifferences ? end.filter { $0.key != "unchanged" } : end)
    guard !(onlyDifferences && counts.isEmpty) else {
        output.line("Nothing would change.")
        return .done
    }
    output.line(counts.isEmpty ? "No files." : "In all: \(counts)")
    return .done
}

/// Columns of fixed width, for rows are printed as they come.
private func text(of row: PlanRow) -> String {
    let outcome = padded(row.isUnchanged ? "unchanged" : row.outcome?.rawValue ?? "", to: 9)
    let reason = padded(row.reason?.rawValue ?? "", to: 18)
    let album = row.album.map { "  -> " + shown($0) } ?? ""
    let detail = row.detail.map { "  (\($0))" } ?? ""
    return "\(outcome)  \(reason)  \(shown(row.path, row.pathBase64))\(album)\(detail)"
}
