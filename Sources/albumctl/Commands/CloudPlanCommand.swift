import Control
import PhotoModel
import Platform

extension Command {
    static let cloudPlan = Command(
        name: "cloud plan", summary: "tell what the rules would move between the disk and the cloud, and why",
        about: """
            Changes nothing. `upload` copies an original to the cloud, `evict` takes one off the disk that is proven
            there, `fetch` brings one back. The reason is `pinned`, `keptByAlbum`, `inCloudByAlbum`, `olderThan`,
            `keepLocal`, `freeDiskFloor` or `uploadsAll`: a pin, the rule of an album, or the configuration. What is to
            leave the disk is uploaded first, and stands here as `evict` once it is proven. The first 1,000 of each kind
            are listed, all are counted.
            """,
        examples: [
            Example("albumctl cloud plan", "what will move?"),
            Example("albumctl cloud plan --json | jq '.evictions'", "how much leaves the disk"),
        ],
        run: planMoves)
}

private func planMoves(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    let answer = try invocation.api.ask(.cloudPlan, isLong: true, as: CloudPlanReport.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    let plan = answer.value
    guard !plan.rows.isEmpty else {
        output.line("Nothing would move.")
        return .done
    }
    var table = Table("MOVE", "REASON", "SIZE", "IDENTIFIER", "NAME")
    for row in plan.rows {
        let name = row.originalFilename.map { shown($0, row.originalFilenameBase64) } ?? "-"
        table.add(
            row.move.rawValue, inert(row.reason), size(row.byteCount),
            row.localIdentifier.map { "\($0)" } ?? row.sha256.hexadecimal, name)
    }
    output.lines(table.lines)
    let sums = [("upload", plan.uploads), ("evict", plan.evictions), ("fetch", plan.fetches)]
    let words = sums.filter { $0.1.count > 0 }.map { "\($0.0) \($0.1.count) (\(size($0.1.byteCount)))" }
    output.line("In all: \(words.joined(separator: ", "))")
    return .done
}
