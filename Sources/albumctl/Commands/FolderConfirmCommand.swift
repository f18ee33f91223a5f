import Control

extension Command {
    static let folderConfirm = Command(
        name: "folder confirm", summary: "say that a folder is the right one after its disk was changed",
        operands: "DIR", operandCount: 1...1,
        about: """
            albumd remembers the file system and the directory that a folder is. Where another stands in that place it
            waits, for an empty disk must not look like deleted photos. Look first that the right disk is mounted. Photos whose
            files are missing in it, however few, stay until a person says `albumctl confirm` with the token that status
            tells.
            """,
        examples: [Example("albumctl folder confirm /srv/photos/inbox", "yes, this is it now")],
        run: confirmFolder)
}

private func confirmFolder(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = FolderPathRequest(path: try absolutePath(invocation.arguments.operands[0]))
    let answer = try invocation.api.ask(.confirmFolder, body: request, isLong: true, as: FolderRow.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        invocation.output.lines(folderTable([answer.value]))
    }
    return .done
}
