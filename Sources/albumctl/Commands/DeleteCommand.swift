import Control
import PhotoModel
import Platform

extension Command {
    static let delete = Command(
        name: "delete", summary: "move photos to Recently Deleted, by identifier or by a file that is mapped",
        operands: "ID… | --path PATH…", operandCount: 0...Int.max,
        options: [
            .value("path", "PATH", isRepeatable: true, "the asset of this file; the operands may be files, too, then"),
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
    let request = AssetsRequest(subjects: try subjects(arguments), isDryRun: isDryRun)
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

/// Identifiers and, where `--path` is given, files.
private func subjects(_ arguments: Arguments) throws(Problem) -> [SubjectRequest] {
    var subjects: [SubjectRequest] = []
    let paths = arguments.options["path"] ?? []
    for path in paths { subjects.append(SubjectRequest(path: try absolutePath(path))) }
    for (index, operand) in arguments.operands.enumerated() {
        if paths.isEmpty {
            subjects.append(SubjectRequest(localIdentifier: try arguments.identifier(index)))
        } else {
            subjects.append(try subject(of: operand))
        }
    }
    guard !subjects.isEmpty else {
        throw .usage("name what is to be deleted: ID…, or --path PATH…", fix: "albumctl delete --help shows examples")
    }
    return subjects
}
