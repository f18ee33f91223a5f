import Control
import PhotoModel
import Platform

extension Command {
    static let trashRestore = Command(
        name: "trash restore", summary: "take assets back out of Recently Deleted",
        operands: "ID… | --all", operandCount: 0...Int.max,
        options: [
            .flag("all", "everything that is in Recently Deleted"),
            .flag("dry-run", "change nothing; list what would come back"),
        ],
        about: """
            They have the same identifiers, and are in the albums that they were in. A file that is gone from its folder
            stays gone, and does not delete its photo a second time.
            """,
        examples: [
            Example("albumctl trash restore 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "one asset"),
            Example("albumctl trash restore --all", "everything"),
        ],
        run: restoreAssets)
}

private func restoreAssets(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    let request = try trashRequest(invocation.arguments, isDryRun: invocation.arguments.has("dry-run"))
    let answer = try invocation.api.ask(.restoreAssets, body: request, isLong: true, as: TrashResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    let rows = answer.value.rows
    output.lines(trashTable(rows))
    let what = request.isDryRun == true ? ("would be", "would be") : ("is", "are")
    let asBefore = answer.value.token == nil && request.isDryRun != true && !rows.isEmpty ? ", as before" : ""
    output.line("\(counted(rows.count, "asset", one: what.0, many: what.1)) in the library\(asBefore).")
    return .done
}

/// What `trash restore` and `trash purge` are asked for: identifiers, or all.
func trashRequest(_ arguments: Arguments, isDryRun: Bool) throws(Problem) -> AssetsRequest {
    guard arguments.operands.isEmpty == arguments.has("all") else {
        throw .usage("give identifiers, or --all", fix: "albumctl trash list shows identifiers")
    }
    guard !arguments.has("all") else { return AssetsRequest(subjects: nil, all: true, isDryRun: isDryRun) }
    let subjects = try arguments.identifiers(from: 0).map { SubjectRequest(localIdentifier: $0) }
    return AssetsRequest(subjects: subjects, isDryRun: isDryRun)
}
