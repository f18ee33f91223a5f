import Control

extension Command {
    static let folderList = Command(
        name: "folder list", summary: "list the folders that are watched, and how they stand",
        options: [.null],
        about: """
            ALBUM is where their photos go, MODE whether the files stay (copy) or are removed once the library holds
            them (move), STATE whether the folder can be reached, and WATCHED how changes are noticed.
            """,
        examples: [
            Example("albumctl folder list", "all folders"),
            Example("albumctl folder list --json | jq -r '.[].path'", "their paths alone"),
        ],
        run: listFolders)
}

private func listFolders(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let rows = try invocation.api.rows(.listFolders, of: FolderRow.self)
    if invocation.output.isJSON {
        invocation.output.json(JSON.encode(rows))
    } else if invocation.arguments.has("null") {
        for row in rows { invocation.output.path(row.path, row.pathBase64) }
    } else {
        invocation.output.lines(folderTable(rows))
    }
    return .done
}

/// Folders as a table, each with what is wrong with it below.
func folderTable(_ rows: [FolderRow]) -> [String] {
    guard !rows.isEmpty else { return ["No folder is watched yet: albumctl folder add DIR"] }
    var table = Table("STATE", "WATCHED", "MODE", "LAST SCAN", "ALBUM", "FOLDER")
    for row in rows {
        let scan = row.isScanning ? "now" : row.lastScan.map(localTime) ?? "never"
        let watching = row.watching == "none" ? "-" : inert(row.watching)
        table.add(
            inert(row.standing), watching, inert(row.mode), scan, shown(row.album),
            shown(row.path, row.pathBase64))
    }
    return table.lines + rows.flatMap(folderRemarks)
}

/// What keeps a folder from being watched as it should be.
func folderRemarks(_ row: FolderRow) -> [String] {
    let path = shown(row.path, row.pathBase64)
    let details = [row.detail, row.watchingDetail].compactMap { $0 }.map { "! \(path): \($0)" }
    return details + row.unreadable.map { "! \(path): cannot be read: \($0)" }
}
