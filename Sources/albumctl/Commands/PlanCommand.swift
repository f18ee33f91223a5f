import Control
import PhotoModel
import Platform

extension Command {
    static let plan = Command(
        name: "plan", summary: "tell what the rules would do to what lies in the folders now, changing nothing",
        operands: "[FOLDER]", operandCount: 0...1,
        options: [.flag("all", "list the files, too, with which nothing would be done"), .null],
        about: """
            One line for each file: the outcome it would have, the reason, the file, its album. Files that were judged
            before and would be judged the same are only counted. In a folder with on_source_deleted = "trash" a file
            that is gone has a line, too: `trash`, or `hold` where so many wait for `albumctl confirm`. A folder that
            cannot be reached is a line of its own. Exit status 3 means that there is such a folder, or a file that would
            be blocked, or would wait for what does not pass by itself. With --json each line is a row, and the last
            line is {"end": …} with the counts, or {"error": …}.
            """,
        examples: [
            Example("albumctl plan", "what is new or changed in every folder"),
            Example(
                "albumctl plan /srv/photos/inbox --json | jq -r 'select(.outcome == \"skipped\") | .path'",
                "what would not be taken"),
        ],
        run: { (invocation) throws(Problem) in
            let request = FolderPathRequest(path: try folderPath(invocation))
            return try showPlan(invocation, request, onlyDifferences: !invocation.arguments.has("all"))
        })
}

/// Streams a plan: rows as they come, then the counts.
func showPlan(
    _ invocation: Invocation, _ request: FolderPathRequest, onlyDifferences: Bool
) throws(Problem) -> ExitCode {
    let output = invocation.output
    let line = ProgressLine(output, uptime: invocation.host.machine.uptime)
    let isNull = invocation.arguments.has("null")
    var (seen, isDegraded) = (0, false)
    let end = try invocation.api.stream(.plan, body: request, of: PlanLine.self) { row in
        seen += 1
        if row.isKeptFromLibrary { isDegraded = true }
        line.show { counted(seen, "file") }
        guard !(onlyDifferences && row.isUnchanged) else { return }
        line.clear()
        if output.isJSON {
            output.json(JSON.encode(row))
        } else if isNull {
            output.path(row.path, row.pathBase64)
        } else {
            output.line(text(of: row))
        }
    }
    line.clear()
    guard !output.isJSON else {
        output.json(JSON.encode(PlanLine.end(end)))
        return isDegraded ? .degraded : .done
    }
    guard !isNull else { return isDegraded ? .degraded : .done }
    let isSettled = end.allSatisfy { $0.key == "unchanged" || $0.value == 0 }
    if isSettled { output.line(seen == 0 ? "No files." : "Nothing would change.") }
    if !(isSettled && onlyDifferences) { output.line("In all: \(listed(end))") }
    return isDegraded ? .degraded : .done
}

extension PlanRow {
    /// Whether something that does not pass by itself is in the way of this file, or of this whole folder.
    fileprivate var isKeptFromLibrary: Bool {
        switch outcome {
        case .blocked, .failed: true
        case .pending: reason?.isPassing == false
        default: false
        }
    }
}

/// Columns of fixed width, for rows are printed as they come.
private func text(of row: PlanRow) -> String {
    let outcome = padded(row.isUnchanged ? "unchanged" : row.outcome?.rawValue ?? row.deletion ?? "", to: 9)
    let reason = padded(row.reason?.rawValue ?? (row.deletion == nil ? "" : "fileDeleted"), to: 18)
    let album = row.album.map { "  -> " + shown($0) } ?? ""
    let detail = row.detail.map { "  (\(inert($0)))" } ?? ""
    return "\(outcome)  \(reason)  \(shown(row.path, row.pathBase64))\(album)\(detail)"
}
