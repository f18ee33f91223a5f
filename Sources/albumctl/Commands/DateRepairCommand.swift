import Control
import PhotoModel
import Platform

extension Command {
    static let dateRepair = Command(
        name: "date repair", summary: "give clocks that said no zone the one that is proven; shows it first",
        operands: "ALBUM", operandCount: 1...1,
        options: [.flag("apply", "do it; without, nothing is changed")],
        about: """
            Many cameras write what their clock said, and not where it was. Such a time stays what it is; what is added
            is how far it was ahead of UTC, so that the photo stands where it belongs among the others. Nothing is
            guessed: the proof is the satellites' time in the photo itself (gps), the other half of its Live Photo (pair),
            or the photos of the same camera before and after it in the album, within half a day each, whose zones are
            known and the same (neighbours). A photo without one stays as it is. ALBUM is an identifier or a title.
            `albumctl undo TOKEN` takes it back.
            """,
        examples: [
            Example("albumctl date repair 'Summer 2026'", "what is proven, each with its proof"),
            Example("albumctl date repair 'Summer 2026' --apply", "do it"),
        ],
        run: repairDates)
}

private func repairDates(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let isDry = !invocation.arguments.has("apply")
    let album = try invocation.arguments.operandText(0, "an album")
    let answer = try invocation.api.ask(
        .repairDates, body: DateRepairRequest(album: album, isDryRun: isDry), isLong: true, as: DateRepairResult.self)
    let output = invocation.output
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    output.lines(table(answer.value.rows))
    output.lines(ending(answer.value, isDry: isDry))
    return .done
}

private func table(_ rows: [DateRepairRow]) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = Table("TIME", "ZONE", "PROOF", "IDENTIFIER", "NAME")
    for row in rows {
        let time = String(row.proof.localTime.text.prefix(19)).replacing("T", with: " ")
        let witnesses = row.proof.witnesses.map { " \($0.uuid)" }.joined()
        table.add(
            time, zoneText(row.proof.offset), row.proof.kind.rawValue + witnesses, "\(row.localIdentifier)",
            shown(row.originalFilename, row.originalFilenameBase64))
    }
    return table.lines
}

private func ending(_ result: DateRepairResult, isDry: Bool) -> [String] {
    let photos = counted(result.rows.count, "photo")
    var lines: [String] = []
    if let token = result.token {
        lines.append("\(photos) given a zone, as change \(token); albumctl undo \(token) takes it back.")
    } else if isDry, !result.rows.isEmpty {
        lines.append("\(photos) can be given a zone. Nothing was changed: --apply does it.")
    } else {
        lines.append("Nothing to repair.")
    }
    if result.unprovenCount > 0 {
        lines.append("\(counted(result.unprovenCount, "photo")) without a zone and without a proof: left as they are.")
    }
    if result.isMore { lines.append("There are more: run it again.") }
    return lines
}
