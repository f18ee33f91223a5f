import Control

extension Command {
    static let albumList = Command(
        name: "album list", summary: "list the albums with how many assets each has",
        about: "An album is known by its identifier; a title is only a title, and two albums may share one.",
        examples: [
            Example("albumctl album list", "all albums"),
            Example("albumctl album list --json | jq -r '.[] | select(.count == 0) | .title'", "the empty ones"),
        ],
        run: listAlbums)
}

private func listAlbums(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let rows = try invocation.api.rows(.listAlbums, of: AlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(rows))
    } else {
        invocation.output.lines(rows.isEmpty ? ["There is no album yet."] : albumTable(rows))
    }
    return .done
}

func albumTable(_ rows: [AlbumRow]) -> [String] {
    var table = Table("IDENTIFIER", "ASSETS", "CREATED", "TITLE")
    for row in rows {
        let title = shown(row.title, row.titleBase64)
        table.add("\(row.localIdentifier)", "\(row.count)", localTime(row.createdDate), title)
    }
    return table.lines
}
