import Control
import PhotoModel

extension Command {
    static let albumList = Command(
        name: "album list", summary: "list the albums with how many assets each has",
        options: [.choice("type", ["album", "smart"], "the albums that were made, or the smart ones (album)")],
        about: """
            An album is known by its identifier; a title is only a title, and two albums may share one. Who is in a smart
            album follows from what the photos' bytes say, as far as they were read, and of the recent ones from when
            they came.
            """,
        examples: [
            Example("albumctl album list", "all albums"),
            Example("albumctl album list --type smart", "Screenshots, Panoramas and the others"),
            Example("albumctl album list --json | jq -r '.[] | select(.count == 0) | .title'", "the empty ones"),
        ],
        run: listAlbums)
}

private func listAlbums(_ invocation: Invocation) throws(Problem) -> ExitCode {
    guard try invocation.arguments.text("type") != "smart" else { return try listSmartAlbums(invocation) }
    let rows = try invocation.api.rows(.listAlbums, of: AlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(rows))
    } else {
        invocation.output.lines(rows.isEmpty ? ["There is no album yet."] : albumTable(rows))
    }
    return .done
}

private func listSmartAlbums(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let rows = try invocation.api.rows(.listSmartAlbums, of: SmartAlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(rows))
    } else {
        var table = Table("ASSETS", "TITLE")
        for row in rows { table.add("\(row.count)", row.title.rawValue) }
        invocation.output.lines(table.lines)
    }
    return .done
}

func albumTable(_ rows: [AlbumRow]) -> [String] {
    var table = Table("IDENTIFIER", "ASSETS", "CREATED", "TITLE")
    for row in rows {
        let title = shown(row.title, row.titleBase64) + (row.tier.map { "  (\(words(of: $0)))" } ?? "")
        table.add("\(row.localIdentifier)", "\(row.count)", localTime(row.createdDate), title)
    }
    return table.lines
}
