import Control
import PhotoModel

extension Command {
    static let undo = Command(
        name: "undo", summary: "reverse one change of the library, as far as its bytes still exist",
        operands: "TOKEN", operandCount: 1...1,
        options: [
            .flag("dry-run", "only tell what would be done"),
            .flag("put-back", "put files back at their paths that albumd has removed from there"),
        ],
        about: """
            `albumctl history` lists the tokens. The undo is a change itself, with a token, and can be undone. What was
            imported goes to Recently Deleted and stays out; what was deleted comes back, into its albums and at its
            place; titles, mappings and edits go back. What was changed again since stays as it is, and what was deleted
            for good stays lost: a line says so.

            A file that is put back has its bytes and its modification time. It belongs to albumd's user, and its mode
            fits its directory: who may read that may read it, and the directory's group may write it where it may
            write there; the umask counts for nothing. Missing directories are made below the folder, with the mode of
            the one that they are in. What stands at the path is never written over. The file stays, and is not
            imported again, renamed or touched.
            """,
        examples: [
            Example("albumctl undo 17 --dry-run", "what that would do"),
            Example("albumctl undo 17", "do it"),
            Example("albumctl undo 17 --put-back", "and the files of a folder with mode = \"move\" as well"),
        ],
        run: undoChange)
}

private func undoChange(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    guard let token = Int64(try arguments.operandText(0, "a token")), token > 0 else {
        throw .usage("a token is a number", fix: "albumctl history")
    }
    let isDry = arguments.has("dry-run")
    let request = UndoRequest(token: token, isDryRun: isDry, putsBack: arguments.has("put-back"))
    let answer = try ask(request, invocation)
    if output.isJSON { output.json(answer.json) } else { show(answer.value, of: token, isDry: isDry, on: output) }
    let isNothing = (isDry ? answer.value.changes.isEmpty : answer.value.token == nil) && answer.value.putBack.isEmpty
    return isNothing || answer.value.putBack.contains { $0.problem != nil } ? .failed : .done
}

/// Where albumd went away meanwhile, files may be back whose change is not undone: the same again goes on there.
private func ask(_ request: UndoRequest, _ invocation: Invocation) throws(Problem) -> API.Answer<UndoResult> {
    do throws(Problem) {
        return try invocation.api.ask(.undo, body: request, isLong: true, as: UndoResult.self)
    } catch {
        var problem = error
        let isBroken = error.type == Problem.unreachable("", fix: "").type && error.detail.contains("broke")
        if isBroken, request.isDryRun != true {
            problem.fix = "the same command again, when albumd runs: it goes on where it was"
        }
        throw problem
    }
}

private func show(_ result: UndoResult, of token: Int64, isDry: Bool, on output: Output) {
    output.lines(result.changes.map { "\($0.name.rawValue)\(about($0))" })
    for row in result.putBack {
        let path = shown(row.path, row.pathBase64)
        output.line(row.problem.map { "Not put back: \(path): \($0)" } ?? "\(isDry ? "To put" : "Put") back: \(path)")
    }
    for remark in result.remarks { output.line("Not undone: \(remark)") }
    if isDry { return output.line("Nothing was changed.") }
    output.line(ending(result, of: token))
}

private func ending(_ result: UndoResult, of token: Int64) -> String {
    if let undo = result.token { return "Change \(token) is undone, as change \(undo)." }
    guard result.putBack.contains(where: { $0.problem == nil }) else { return "Nothing of change \(token) is undone." }
    return "Change \(token) is undone as far as its files are back."
}
