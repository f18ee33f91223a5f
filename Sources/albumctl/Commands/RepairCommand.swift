import Control
import Platform

extension Command {
    static let repair = Command(
        name: "repair", summary: "put back originals that are missing or corrupt, from what still has their bytes",
        options: [
            .flag("dry-run", "say what would be done, and change nothing"),
            .choice(
                "history", HistorySide.allCases.map(\.rawValue),
                "where the two differ and each could be right: take this one"),
            .flag("discard-orphans", "instead: delete the originals that no photo has"),
            .flag("yes", "with --discard-orphans: delete them without being asked again"),
        ],
        about: """
            The bytes are taken from a source in a watched folder, from another file of the library, or from the copy in
            the cloud, and are hashed before they are stored; what stands in an original's place is set aside. The
            journal gets again what it lost, and a damaged change of journal or catalogue is written again from the
            other, or, where neither is whole, from a snapshot or the cloud. Where that cannot tell which is right, verify
            --deep shows both, and --history takes the one that you name. Only the history is written: photos and albums
            stay as they are now, and a later rebuild of the catalogue makes of them what the journal then says. What
            nothing has any more is said, with the places where it was last seen; albumctl save of the same file from a
            backup or a card mends it, too. Nothing deletes orphans but --discard-orphans, and only with --yes; one that
            the history names as a photo's is kept all the same. Exit status 3 means that something is left.
            """,
        examples: [
            Example("albumctl repair --dry-run", "what can be mended?"),
            Example("albumctl repair", "mend it"),
            Example("albumctl repair --history journal --dry-run", "which changes would be taken from the journal?"),
            Example("albumctl repair --discard-orphans --dry-run", "which orphans are there?"),
        ],
        run: repairLibrary)
}

private func repairLibrary(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let discards = arguments.has("discard-orphans")
    guard discards || !arguments.has("yes") else { throw .usage("--yes is for --discard-orphans") }
    let isDryRun = arguments.has("dry-run") || discards && !arguments.has("yes")
    let side = try arguments.text("history").flatMap { HistorySide(rawValue: $0) }
    guard !discards || side == nil else { throw .usage("--history is for a repair, not for --discard-orphans") }
    let request = RepairRequest(dryRun: isDryRun, discardOrphans: discards, history: side)
    let line = ProgressLine(output, uptime: invocation.host.machine.uptime)
    defer { line.clear() }
    var seen = 0
    let end = try invocation.api.stream(.repair, body: request, of: RepairLine.self) { row in
        seen += 1
        if output.isJSON { return output.json(JSON.encode(row)) }
        line.clear()
        output.line(text(of: row))
        if let fix = row.fix { output.lines(indented(fix)) }
        line.show { counted(seen, "original") }
    }
    line.clear()
    guard !output.isJSON else {
        output.json(JSON.encode(RepairLine.end(end)))
        return code(end)
    }
    guard seen > 0 else {
        output.line(discards ? "There is no orphan." : "There is nothing to repair.")
        return .done
    }
    output.line("In all: \(listed(end))")
    if discards, isDryRun, !arguments.has("dry-run") { output.lines(indented("--yes deletes them for good")) }
    return code(end)
}

private func code(_ end: [String: Int]) -> ExitCode {
    let left = ["lost", "failed"].contains { end[$0] ?? 0 > 0 }
    return left ? .degraded : .done
}

private func text(of row: RepairRow) -> String {
    let source = row.source.map { "  from '\(shown($0, row.sourceBase64))'" } ?? ""
    let name = row.originalFilename.map { "  '\(shown($0))'" } ?? ""
    let detail = row.detail.map { "  (\(inert($0)))" } ?? ""
    return "\(padded(row.outcome.rawValue, to: 12))  \(shown(row.path))\(name)\(source)\(detail)"
}
