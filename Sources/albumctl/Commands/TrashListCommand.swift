import Control
import FoundationEssentials
import PhotoModel

extension Command {
    static let trashList = Command(
        name: "trash list", summary: "list what is in Recently Deleted, with the days that are left",
        options: [.value("limit", "N", "at most N assets in all")],
        about: """
            DAYS are left until an asset vanishes for ever. WHY is `person` (by command), `sourceDeleted` (its last file
            was deleted in a folder with on_source_deleted = "trash"), `sourceDeletionConfirmed` (with many others, and
            somebody confirmed it) or `undone` (`albumctl undo`). With --json it is one array.
            """,
        examples: [
            Example("albumctl trash list", "all of it"),
            Example("albumctl trash list --json | jq -r '.[] | select(.daysLeft < 7) | .localIdentifier'", "the next"),
        ],
        run: listTrash)
}

private func listTrash(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    var rows: [TrashRow] = []
    let limit = try invocation.arguments.number("limit")
    try invocation.api.pages(.listTrash, limit: limit, of: TrashRow.self) { rows += $0 }
    if output.isJSON {
        output.json(JSON.encode(rows))
    } else {
        output.lines(rows.isEmpty ? ["Recently Deleted is empty."] : trashTable(rows))
    }
    return .done
}

/// Assets in Recently Deleted, or on their way into it or out of it.
func trashTable(_ rows: [TrashRow]) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = Table("IDENTIFIER", "DELETED", "DAYS", "WHY", "FOLDER", "NAME")
    for row in rows {
        table.add(
            "\(row.localIdentifier)", row.trashedDate.map(localTime) ?? row.state.rawValue,
            row.daysLeft.map(String.init) ?? "-", row.reason?.rawValue ?? "-", row.folder.map { shown($0) } ?? "-",
            shown(row.originalFilename, row.originalFilenameBase64))
    }
    return table.lines
}

/// `Friday, 2026-12-30`, in this machine's own zone.
func weekday(_ date: Date) -> String { formattedTime(date, "%A, %Y-%m-%d") ?? date.rfc3339 }
