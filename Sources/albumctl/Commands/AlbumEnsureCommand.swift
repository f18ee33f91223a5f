import Control

extension Command {
    static let albumEnsure = Command(
        name: "album ensure", summary: "give the album of a title, made now if there is none",
        operands: "TITLE", operandCount: 1...1,
        about: """
            Prints its identifier. However many ask at once, one album is made. Where several albums have the title
            already it is refused, and their identifiers are told.
            """,
        examples: [
            Example("albumctl album ensure 'Summer 2026'", "the album's identifier"),
            Example("id=$(albumctl album ensure 'Summer 2026') && albumctl album add \"$id\" ASSET…", "in a script"),
        ],
        run: ensureAlbum)
}

private func ensureAlbum(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = TitleRequest(title: try invocation.arguments.operandText(0, "a title"))
    let answer = try invocation.api.ask(.ensureAlbum, body: request, as: AlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        invocation.output.line("\(answer.value.localIdentifier)")
    }
    return .done
}
