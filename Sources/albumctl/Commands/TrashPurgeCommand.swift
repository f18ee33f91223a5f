import Control
import PhotoModel
import Platform

extension Command {
    static let trashPurge = Command(
        name: "trash purge", summary: "delete for good what is in Recently Deleted, and free its bytes",
        operands: "ID… | --all", operandCount: 0...Int.max,
        options: [
            .flag("all", "everything that is in Recently Deleted"),
            .flag("yes", "do not ask; without a terminal it must be given"),
            .flag("dry-run", "change nothing; list what would go, and how many bytes that frees"),
        ],
        about: """
            Nothing brings these back. Bytes that another asset has as well stay. Copies in the cloud go only when
            [cloud] delete_purged says so, and are told apart from what is freed here. It is not needed for tidiness: what
            has been in Recently Deleted for 30 days goes by itself.
            """,
        examples: [
            Example("albumctl trash purge --all --dry-run", "how much would that free?"),
            Example("albumctl trash purge 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001 --yes", "this one, unasked"),
        ],
        run: purgeAssets)
}

private func purgeAssets(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let plan = try ask(invocation, isDryRun: true)
    guard !arguments.has("dry-run") else {
        if output.isJSON { output.json(plan.json) } else { tell(plan.value, "would be", "would free", on: output) }
        return .done
    }
    if !arguments.has("yes"), !plan.value.rows.isEmpty { try confirm(plan.value, invocation) }
    let answer = try ask(invocation, isDryRun: false)
    if output.isJSON { output.json(answer.json) } else { tell(answer.value, "", "freed", on: output) }
    return answer.value.stuckByteCount == nil ? .done : .degraded
}

private func ask(_ invocation: Invocation, isDryRun: Bool) throws(Problem) -> API.Answer<TrashResult> {
    let request = try trashRequest(invocation.arguments, isDryRun: isDryRun)
    return try invocation.api.ask(.purgeAssets, body: request, isLong: true, as: TrashResult.self)
}

/// Throws unless a person at the terminal says yes.
private func confirm(_ plan: TrashResult, _ invocation: Invocation) throws(Problem) {
    let output = invocation.output
    let away = (plan.cloudByteCount ?? 0) > 0 ? " here and \(size(plan.cloudByteCount ?? 0)) in the cloud" : ""
    let what = "\(counted(plan.rows.count, "asset")) of \(size(plan.freedByteCount ?? 0))\(away)"
    guard invocation.host.isTerminal else {
        throw .usage("\(what) would vanish for ever, and nobody can be asked", fix: "say --yes if that is meant")
    }
    trashTable(plan.rows).forEach(output.remark)
    output.remark("\(what) vanish for ever. Write yes to do it:")
    guard invocation.host.answer() == "yes" else { throw .failed("nothing was deleted") }
}

private func tell(_ result: TrashResult, _ verb: String, _ freed: String, on output: Output) {
    output.lines(trashTable(result.rows))
    let count = counted(result.rows.count, "asset", one: verb.isEmpty ? "is" : verb, many: verb.isEmpty ? "are" : verb)
    let away = result.cloudByteCount ?? 0
    let here = away > 0 ? " on this disk" : ""
    output.line("\(count) deleted for good; that \(freed) \(size(result.freedByteCount ?? 0))\(here).")
    if let stuck = result.stuckByteCount {
        output.line("\(size(stuck)) could not be removed, which is tried again; see why:")
        output.lines(indented("albumctl status"))
    }
    if away > 0 {
        output.line("\(size(away)) of copies in the cloud stay there for as long as [cloud] delete_purged says.")
    }
}
