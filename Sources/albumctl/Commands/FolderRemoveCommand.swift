import Control
import PhotoModel
import Platform

extension Command {
    static let folderRemove = Command(
        name: "folder remove", summary: "stop watching a folder that was added by command",
        operands: "DIR", operandCount: 1...1,
        about: """
            The photos stay in the library and the files where they are. A folder that stands in the configuration is
            taken out there.
            """,
        examples: [Example("albumctl folder remove /srv/photos/inbox", "leave it alone from now on")],
        run: removeFolder)
}

private func removeFolder(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let path = try absolutePath(invocation.arguments.operands[0])
    let json = try invocation.api.fetch(.removeFolder, body: FolderPathRequest(path: path))
    if invocation.output.isJSON {
        invocation.output.json(json)
    } else {
        invocation.output.line("\(printable(path.bytes)) is no longer watched; its photos stay.")
    }
    return .done
}
