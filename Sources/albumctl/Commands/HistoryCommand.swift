import Control
import PhotoModel

extension Command {
    static let history = Command(
        name: "history", summary: "list the newest changes with their tokens, for undo",
        options: [.value("limit", "N", "how many (20)")],
        about: """
            Each change has a token that only grows, a date, who asked for it, and what it did. `albumctl watch --after
            TOKEN` tells every detail, and goes on. With --json each line is a change.
            """,
        examples: [
            Example("albumctl history", "the newest twenty"),
            Example("albumctl history --limit 500 --json", "more, for a program"),
        ],
        run: listHistory)
}

private func listHistory(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (api, output) = (invocation.api, invocation.output)
    let limit = try invocation.arguments.number("limit") ?? 20
    guard limit > 0 else { throw .usage("--limit is at least 1", fix: "albumctl history --help") }
    let newest = try api.ask(.status, as: StatusReport.self).value.token
    var rows: [ChangeRow] = []
    _ = try api.stream(.listChanges, query: ["after": String(max(0, newest - limit))], of: ChangeLine.self) { row in
        if output.isJSON { output.json(JSON.encode(row)) } else { rows.append(row) }
    }
    guard !output.isJSON else { return .done }
    var table = Table("TOKEN", "DATE", "BY", "WHAT")
    for row in rows { table.add(String(row.token), localTime(row.date), shown(row.origin), sentence(row.changes)) }
    output.lines(table.lines)
    return .done
}

/// `createAsset 12, addAssets 1`: the kinds of requests in the order of the change, with their numbers.
private func sentence(_ changes: [ChangeRequest]) -> String {
    var counts: [(name: String, count: Int)] = []
    for change in changes {
        if let index = counts.firstIndex(where: { $0.name == change.name.rawValue }) {
            counts[index].count += 1
        } else {
            counts.append((change.name.rawValue, 1))
        }
    }
    guard changes.count > 1 || changes.isEmpty else { return "\(changes[0].name.rawValue)\(about(changes[0]))" }
    return counts.isEmpty
        ? "lost" : counts.map { $0.count == 1 ? $0.name : "\($0.name) \($0.count)" }.joined(separator: ", ")
}
