import Control
import PhotoModel
import Platform

extension Command {
    static let cloudPlan = Command(
        name: "cloud plan", summary: "tell what the rules would move between the disk and the cloud, and why",
        options: [.value("limit", "N", "list so many of each kind (1,000); all are counted")],
        about: """
            Changes nothing. `upload` copies an original to the cloud, `evict` takes one off the disk that is proven
            there, `fetch` brings one back. The reason is `pinned`, `keptByAlbum`, `inCloudByAlbum`, `olderThan`,
            `keepLocal`, `freeDiskFloor` or `uploadsAll`: a pin, the rule of an album, or the configuration; `underWay`
            is what was begun. What keeps everything from moving now stands above. What is to leave the disk and is not in the cloud yet stands here twice: as `upload`, and
            as `evict` `after upload`. Of an edited photo the version stands behind the name.
            """,
        examples: [
            Example("albumctl cloud plan", "what will move?"),
            Example("albumctl cloud plan --limit 0", "how much, in one line"),
            Example("albumctl cloud plan --json | jq '.evictions'", "how much leaves the disk"),
        ],
        run: planMoves)
}

private func planMoves(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    var query: [String: String] = [:]
    query["limit"] = try invocation.arguments.number("limit").map { String($0) }
    let answer = try invocation.api.ask(.cloudPlan, query: query, isLong: true, as: CloudPlanReport.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return answer.value.obstacle == nil ? .done : .degraded
    }
    let plan = answer.value
    let sums = [("upload", plan.uploads), ("evict", plan.evictions), ("fetch", plan.fetches)].filter { $0.1.count > 0 }
    if let obstacle = plan.obstacle {
        output.line("In the way now: \(inert(obstacle.what))")
        output.lines(indented(obstacle.fix) + [""])
    }
    guard !sums.isEmpty else {
        output.line("Nothing would move.")
        return plan.obstacle == nil ? .done : .degraded
    }
    if !plan.rows.isEmpty { output.lines(table(plan.rows)) }
    let unlisted = sums.reduce(0) { $0 + $1.1.count } - plan.rows.count
    let words = sums.map { "\($0.0) \($0.1.count) (\(size($0.1.byteCount)))" }
    let more = unlisted > 0 ? "; \(counted(unlisted, "move", one: "is", many: "are")) not listed" : ""
    output.line("In all: \(words.joined(separator: ", "))\(more)")
    return plan.obstacle == nil ? .done : .degraded
}

private func table(_ rows: [CloudMoveRow]) -> [String] {
    var table = Table("MOVE", "REASON", "SIZE", "IDENTIFIER", "NAME")
    for row in rows {
        let name = row.originalFilename.map { shown($0, row.originalFilenameBase64) } ?? "-"
        let remarks = (row.version.map { [inert($0)] } ?? []) + (row.isAfterUpload == true ? ["after upload"] : [])
        let remark = remarks.isEmpty ? "" : "  (\(remarks.joined(separator: ", ")))"
        table.add(
            row.move.rawValue, inert(row.reason), size(row.byteCount),
            row.localIdentifier.map { "\($0)" } ?? row.sha256.hexadecimal, name + remark)
    }
    return table.lines
}
