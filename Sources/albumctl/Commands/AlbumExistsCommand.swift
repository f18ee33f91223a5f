import Control

extension Command {
    static let albumExists = Command(
        name: "album exists", summary: "say whether a title is an album's; exit status 4 if not",
        operands: "TITLE", operandCount: 1...1,
        about: "Prints the identifier of each album with exactly this title.",
        examples: [
            Example("albumctl album exists 'Summer 2026'", "its identifier, or nothing and exit status 4")
        ],
        run: findAlbums)
}

private func findAlbums(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let rows = try invocation.api.albums(titled: try invocation.arguments.operandText(0, "a title"))
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(rows))
    } else {
        invocation.output.lines(rows.map { "\($0.localIdentifier)" })
    }
    return rows.isEmpty ? .notFound : .done
}
