import Control

extension Command {
    static let folderCheck = Command(
        name: "folder check", summary: "try each folder with the daemon's own rights, and tell what mends it",
        operands: "[DIR]", operandCount: 0...1,
        about: """
            Tries whether it exists, is mounted, readable and watchable, whether everything in it can be read and lies
            within the limits of a scan, whether its marker is right, whether files can be leased, and, where albumd is
            to remove them, whether rights and attributes let it. Of what is not as it should be the first ten are
            named. Exit status 3 means that there is something.
            """,
        examples: [
            Example("albumctl folder check", "all folders"),
            Example("albumctl folder check /srv/photos/inbox", "one; before it is added, too"),
        ],
        run: checkFolders)
}

private func checkFolders(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = FolderPathRequest(path: try folderPath(invocation))
    let answer = try invocation.api.ask(.checkFolder, body: request, isLong: true, as: PageOf<FolderCheck>.self)
    let (checks, output) = (answer.value.rows, invocation.output)
    if output.isJSON { output.json(JSON.encode(checks)) } else { show(checks, on: output) }
    return checks.allSatisfy(\.isGood) ? .done : .degraded
}

private func show(_ checks: [FolderCheck], on output: Output) {
    if checks.isEmpty { output.line("No folder is watched yet: albumctl folder add DIR") }
    var path: String?
    for check in checks {
        if check.path != path { output.line(check.path) }
        path = check.path
        output.line("  \(check.isGood ? "ok " : "NO ") \(padded(inert(check.check), to: 10)) \(check.detail)")
        if let fix = check.fix { output.lines(indented(fix)) }
    }
}
