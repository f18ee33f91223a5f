import Control
import PhotoModel
import Platform

extension Command {
    static let delete = Command(
        name: "delete", summary: "move photos to Recently Deleted, by identifier or by a file that is mapped",
        operands: "ID… | --path PATH…", operandCount: 0...Int.max,
        options: [
            .path,
            .flag("dry-run", "change nothing; list what would be deleted"),
        ],
        about: """
            All are deleted, or, where one is unknown, none. They stay in Recently Deleted for 30 days; `albumctl trash
            restore` takes them back, into the albums that they were in. Their files in the folders stay, unless the
            folder says on_asset_deleted = "remove"; a file that stays does not bring its photo back.
            """,
        examples: [
            Example("albumctl delete 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "one asset"),
            Example("albumctl delete --path /srv/photos/inbox/IMG_1.jpg", "the photo that this file is"),
            Example("albumctl delete --dry-run --path inbox/*.jpg", "what would go?"),
        ],
        run: deleteAssets)
}

private func deleteAssets(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let isDryRun = arguments.has("dry-run")
    let request = AssetsRequest(subjects: try arguments.subjects("to be deleted"), isDryRun: isDryRun)
    let answer = try invocation.api.ask(.deleteAssets, body: request, isLong: true, as: TrashResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    let rows = answer.value.rows
    output.lines(trashTable(rows))
    guard !isDryRun else {
        output.line("\(counted(rows.count, "asset")) would be moved to Recently Deleted.")
        return .done
    }
    let asBefore = answer.value.token == nil ? ", as before" : ""
    output.line("\(counted(rows.count, "asset", one: "is", many: "are")) in Recently Deleted\(asBefore).")
    return .done
}
