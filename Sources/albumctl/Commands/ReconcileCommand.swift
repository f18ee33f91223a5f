import Control
import PhotoModel

extension Command {
    static let reconcile = Command(
        name: "reconcile", summary: "scan folders in full and act on every difference",
        operands: "[FOLDER]", operandCount: 0...1,
        options: [.flag("dry-run", "change nothing; list what would be done")],
        about: """
            Compares what lies in the folders with what the library knows of them, and waits for the end of the scan;
            `albumctl flush` waits for what it found, too. albumd scans by itself at its start, after lost events and
            every six hours. Without FOLDER it does all folders. Exit status 3 means that one, or a directory in it, could
            not be reached.
            """,
        examples: [
            Example("albumctl reconcile", "look at everything again"),
            Example("albumctl reconcile /srv/photos/inbox --dry-run", "what would happen there?"),
        ],
        run: reconcileFolders)
}

private func reconcileFolders(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = FolderPathRequest(path: try folderPath(invocation))
    guard !invocation.arguments.has("dry-run") else {
        return try showPlan(invocation, request, onlyDifferences: true)
    }
    let rows = try invocation.waiting(invocation.whatWaits) { () throws(Problem) in
        try invocation.api.ask(.reconcile, body: request, isLong: true, as: PageOf<FolderRow>.self).value.rows
    }
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(rows))
    } else {
        invocation.output.lines(folderTable(rows))
    }
    return rows.allSatisfy { $0.standing == "online" && $0.unreadable.isEmpty } ? .done : .degraded
}

/// The folder that the first operand names, where there is one.
func folderPath(_ invocation: Invocation) throws(Problem) -> PathBytes? {
    guard let argument = invocation.arguments.operands.first else { return nil }
    return try absolutePath(argument)
}
