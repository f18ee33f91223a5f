import Control

extension Command {
    static let albumGet = Command(
        name: "album get", summary: "show one album",
        operands: "ALBUM", operandCount: 1...1,
        about: "ALBUM is an identifier or a title.",
        examples: [
            Example("albumctl album get Inbox", "how many assets are in it?"),
            Example("albumctl asset list --album Inbox", "which ones?"),
        ],
        run: showAlbum)
}

private func showAlbum(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let album = try invocation.api.album(named: try invocation.arguments.operandText(0, "an album"))
    let answer = try invocation.api.ask(.getAlbum, id: album, as: AlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        invocation.output.lines(albumTable([answer.value]))
    }
    return .done
}
