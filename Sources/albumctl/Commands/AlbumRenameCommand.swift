import Control

extension Command {
    static let albumRename = Command(
        name: "album rename", summary: "give an album another title",
        operands: "ALBUM TITLE", operandCount: 2...2,
        about: "ALBUM is an identifier or a title. Folders keep finding their album: they know it by its identifier.",
        examples: [Example("albumctl album rename Inbox 'New photos'", "the folder's photos still go there")],
        run: renameAlbum)
}

private func renameAlbum(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let album = try invocation.api.album(named: try invocation.arguments.operandText(0, "an album"))
    let request = TitleRequest(title: try invocation.arguments.operandText(1, "a title"))
    let answer = try invocation.api.ask(.renameAlbum, id: album, body: request, as: AlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        let title = shown(answer.value.title, answer.value.titleBase64)
        invocation.output.line("\(album) is now called '\(title)'.")
    }
    return .done
}
