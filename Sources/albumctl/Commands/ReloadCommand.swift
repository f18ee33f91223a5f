import Control

extension Command {
    static let reload = Command(
        name: "reload", summary: "make albumd read its configuration again, without losing a file",
        about: "Where the new configuration is wrong it is refused, and albumd goes on with the old one.",
        examples: [Example("albumctl config check && albumctl reload", "after a change")],
        run: reloadConfiguration)
}

private func reloadConfiguration(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let json = try invocation.api.fetch(.reload, isLong: true)
    if invocation.output.isJSON { invocation.output.json(json) } else { invocation.output.line("Reloaded.") }
    return .done
}
