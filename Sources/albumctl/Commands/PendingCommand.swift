import Control
import FoundationEssentials
import PhotoModel
import Platform

extension Command {
    static let pending = Command(
        name: "pending", summary: "list the files that wait, were refused or failed, with their reasons",
        options: [.null],
        about: """
            `pending` files are looked at again by themselves, `blocked` ones need you, `failed` ones are tried again
            with each full scan and by `albumctl retry`. A folder that cannot be reached stands there, too, for all that
            waits in it. The time is since when, as well as is known.
            """,
        examples: [
            Example("albumctl pending", "what waits, and why"),
            Example(
                "albumctl pending --json | jq -r '.[] | select(.outcome == \"blocked\") | .path'",
                "the files that need you"),
            Example("albumctl why FILE", "all about one of them"),
        ],
        run: listPending)
}

private func listPending(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    let rows = try invocation.api.rows(.pending, of: PendingRow.self)
    guard !output.isJSON else {
        output.json(JSON.encode(rows))
        return .done
    }
    if invocation.arguments.has("null") {
        for row in rows { output.path(row.path, row.pathBase64) }
        return .done
    }
    guard !rows.isEmpty else {
        output.line("Nothing waits.")
        return .done
    }
    let now = invocation.host.machine.now()
    var table = Table("SINCE", "OUTCOME", "REASON", "RETRY", "FILE")
    for row in rows {
        table.add(
            row.since.map { age(of: $0, at: now) } ?? "-", row.outcome.rawValue, row.reason.rawValue,
            row.retryDate.map { retry(at: $0, now) } ?? "-", file(row))
    }
    output.lines(table.lines)
    return .done
}

private func retry(at date: Date, _ now: Date) -> String {
    date > now ? "in \(age(of: now, at: date))" : "now"
}

private func file(_ row: PendingRow) -> String {
    shown(row.path, row.pathBase64) + (row.detail.map { "  (\(inert($0)))" } ?? "")
}
