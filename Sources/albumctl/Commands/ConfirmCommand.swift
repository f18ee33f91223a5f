import Control
import PhotoModel
import Platform

extension Command {
    static let confirm = Command(
        name: "confirm", summary: "say that a deletion of many files at once was meant",
        operands: "TOKEN", operandCount: 1...1,
        options: [.flag("dry-run", "change nothing; list the files that were deleted")],
        about: """
            In a folder with on_source_deleted = "trash", where more than 20 photos, and more than a tenth of all, would
            go within an hour, they wait until a person says that this is meant; `albumctl status` shows the token. It
            stands for exactly that list of files: after a restart, too, once albumd has looked for them again. Where
            it was no deletion, put the files back, and nothing waits any more.
            """,
        examples: [
            Example("albumctl confirm 8a1c-5f3a9c01d2e4 --dry-run", "which files are that?"),
            Example("albumctl confirm 8a1c-5f3a9c01d2e4", "yes: move their photos to Recently Deleted"),
        ],
        run: confirmDeletion)
}

private func confirmDeletion(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let isDryRun = arguments.has("dry-run")
    let request = ConfirmRequest(token: try arguments.operandText(0, "a token"), isDryRun: isDryRun)
    let answer = try invocation.api.ask(.confirmDeletion, body: request, isLong: true, as: ConfirmResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    let (held, count) = (answer.value.held, answer.value.trashedCount)
    guard !isDryRun else {
        output.lines(held.paths)
        output.line("\(counted(held.count, "file")) of '\(held.folder)' wait since \(localTime(held.since)).")
        return .done
    }
    output.line("\(counted(count, "asset", one: "is", many: "are")) in Recently Deleted: albumctl trash list")
    return .done
}
