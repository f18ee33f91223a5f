import Control
import Platform

extension Command {
    static let status = Command(
        name: "status", summary: "say whether everything is safe, what waits and what failed",
        about: """
            The first line is the answer. Below it stands what needs you, each with the command that mends it,
            then the folders and the counts, and which originals are in the cloud. Exit status 3 means that something is degraded.
            """,
        examples: [
            Example("albumctl status", "is everything safe?"),
            Example("albumctl status >/dev/null || mail -s 'photos need you' me", "in a cron job"),
            Example("albumctl status --json | jq .waiting", "what waits, by reason"),
        ],
        run: tellStatus)
}

private func tellStatus(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    let answer = try invocation.api.ask(.status, as: StatusReport.self)
    if output.isJSON { output.json(answer.json) } else { show(answer.value, on: output) }
    return answer.value.isDegraded ? .degraded : .done
}

private func show(_ report: StatusReport, on output: Output) {
    output.line(report.summary)
    for problem in report.problems {
        output.line()
        output.line("! " + problem.what)
        output.lines(indented(problem.fix))
    }
    output.line()
    output.lines(folderTable(report.folders))
    output.line("Library   \(report.library): \(counted(report.assetCount, "asset")), \(originals(report))")
    if let rebuilt = report.rebuilt { output.line("Rebuilt   \(rebuilt)") }
    if let date = report.snapshotDate { output.line("Snapshot  \(localTime(date))") }
    output.line("Sources   \(orNone(listed(report.sources)))")
    output.line("Waiting   \(orNone(listed(report.waiting)))")
    output.line("Facts     \(factsWords(report.facts))")
    output.lines(deletionLines(report))
    output.line("cloud: \(report.cloud.engine)\(cloudWords(report.cloud))")
    output.line("Watching  \(watching(report))")
    output.line("albumd    \(report.version), up \(uptime(report.uptimeSeconds)), at token \(report.token)")
}

private func originals(_ report: StatusReport) -> String {
    let orphans = report.orphanCount == 0 ? "" : ", \(counted(report.orphanCount, "orphan"))"
    return "\(counted(report.originalCount, "original")) of \(size(report.originalByteCount))\(orphans)"
}

/// How many assets have facts; then what is still to be read, and why nothing is.
private func factsWords(_ facts: FactsStatus) -> String {
    var words = ["\(counted(facts.knownCount, "asset"))"]
    if facts.waitingCount > 0 { words.append("\(facts.waitingCount) to be read") }
    if facts.unreadableCount > 0 { words.append("\(counted(facts.unreadableCount, "original")) unreadable") }
    guard let problem = facts.unavailable else { return words.joined(separator: ", ") }
    return words.joined(separator: ", ") + "; \(inert(problem.what)). Next: \(inert(problem.fix))"
}

private func deletionLines(_ report: StatusReport) -> [String] {
    let (deletion, missed) = (report.deletion, report.folders.reduce(0) { $0 + $1.missedCount })
    var lines: [String] = []
    if deletion.trashedCount > 0 { lines.append("Deleted   " + deleted(deletion)) }
    if deletion.isClockFrozen {
        lines.append(
            "Clock     nothing vanishes for now: the clock jumped, albumd was off for more than a day, or its catalogue is new"
        )
    }
    if missed > 0 { lines.append("Missing   \(counted(missed, "file")): looked for again within a minute") }
    return lines
}

private func deleted(_ deletion: DeletionStatus) -> String {
    let all = "\(counted(deletion.trashedCount, "asset")) in Recently Deleted"
    guard let date = deletion.expiryDate, let count = deletion.expiryCount else { return all }
    return "\(all); \(counted(count, "photo", one: "vanishes", many: "vanish")) for ever on \(weekday(date))"
}

/// Where the originals are, as far as they are not simply here; then what moves, and what is in the way.
private func cloudWords(_ cloud: CloudStatus) -> String {
    let away = cloud.residencies.filter { $0.key != "local" }
    let words =
        [away.isEmpty ? nil : whereabouts(cloud.residencies), cloud.transfers.isEmpty ? nil : listed(cloud.transfers)]
        + [cloud.failure.map { inert($0) }]
    return words.compactMap { $0 }.map { "; " + $0 }.joined()
}

private func watching(_ report: StatusReport) -> String {
    let scan = report.isScanning ? ", scanning now" : ""
    let faults = [("overflow", report.overflows), ("restart", report.watcherRestarts)].filter { $0.1 > 0 }
    let counts = faults.map { ", " + counted($0.1, $0.0) }.joined()
    return "\(counted(report.watches, "directory"))\(counts)\(scan)"
}

private func orNone(_ text: String) -> String { text.isEmpty ? "none" : text }

private func uptime(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: counted(seconds / 86_400, "day")
    }
}
