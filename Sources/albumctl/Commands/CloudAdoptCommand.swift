import Control
import Platform

extension Command {
    static let cloudAdopt = Command(
        name: "cloud adopt", summary: "give up a cloud that is gone for good, and take an empty one for the library's",
        options: [
            .flag("dry-run", "change nothing; say what becomes of the originals"),
            .flag("yes", "do not ask; without a terminal it must be given"),
        ],
        about: """
            For a store that knows nothing of this library, in the directory that [cloud] names, where the one that it had
            will not come back: a disk that broke. Originals that are here as well are uploaded again. Those that the old
            store had alone are asked for, and once more ten minutes later; then they are `lost`, and albumctl repair, or
            albumctl save of the same file, can bring them back. A disk that is only not mounted needs none of this.
            """,
        examples: [
            Example("albumctl cloud adopt --dry-run", "what would be lost?"),
            Example("albumctl cloud adopt", "begin anew"),
        ],
        run: adoptStore)
}

private func adoptStore(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    var answer = try ask(invocation, isDryRun: true)
    if !arguments.has("dry-run") {
        if !arguments.has("yes") { try confirm(answer.value, invocation) }
        answer = try ask(invocation, isDryRun: false)
    }
    if output.isJSON { output.json(answer.json) } else { tell(answer.value, on: output) }
    return .done
}

private func ask(_ invocation: Invocation, isDryRun: Bool) throws(Problem) -> API.Answer<AdoptionReport> {
    try invocation.api.ask(
        .adoptStore, body: AdoptionRequest(isDryRun: isDryRun), isLong: true, as: AdoptionReport.self)
}

/// Throws unless a person at the terminal says yes.
private func confirm(_ plan: AdoptionReport, _ invocation: Invocation) throws(Problem) {
    let output = invocation.output
    guard invocation.host.isTerminal else {
        throw .usage("\(losses(plan)), and nobody can be asked", fix: "say --yes if that is meant")
    }
    output.remark("\(losses(plan)). Write yes to do it:")
    guard invocation.host.answer() == "yes" else { throw .failed("nothing was changed") }
}

private func tell(_ report: AdoptionReport, on output: Output) {
    let verb = report.isAdopted ? "is" : "would be"
    output.line("The cloud in '\(inert(report.directory))' \(verb) this library's.")
    output.line("\(losses(report)).")
    if !report.isAdopted { output.lines(indented("albumctl cloud adopt")) }
}

private func losses(_ report: AdoptionReport) -> String {
    let again = "\(counted(report.copies.count, "original", one: "is", many: "are")) here and uploaded again"
    guard report.alone.count > 0 else { return again }
    let alone = "\(counted(report.alone.count, "original")) (\(size(report.alone.byteCount)))"
    let verb = report.alone.count == 1 ? "was" : "were"
    return "\(again); \(alone) \(verb) in the old cloud alone, and lost with it"
}
