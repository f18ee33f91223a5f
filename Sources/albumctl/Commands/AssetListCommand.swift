import Control
import FoundationEssentials
import PhotoModel

extension Command {
    static let assetList = Command(
        name: "asset list", summary: "list the assets of the library, or of an album",
        options: [
            .value("album", "ALBUM", "only what is in this album: an identifier or a title"),
            .choice("smart", SmartAlbum.allCases.map(\.rawValue), "only what is in this smart album"),
            .choice("residency", ["local", "both", "inCloud"], "only what has an original that is there"),
            .value("limit", "N", "at most N assets in all"),
        ],
        about: """
            Assets come in the order in which they were added. Behind its name stands what is not simply here: `both`
            is here and in the cloud, `inCloud` in the cloud alone, and `original inCloud, current local` where the
            versions of an edited photo differ; a transfer that was begun, a pin, and `lost`, `missing` or `corrupt`. With --json it is one
            array, however long.
            """,
        examples: [
            Example("albumctl asset list --album Inbox", "what came through that folder"),
            Example("albumctl asset list --smart Screenshots", "what was taken of a screen"),
            Example("albumctl asset list --limit 10", "the first ten"),
            Example("albumctl asset list --residency inCloud", "what is in the cloud alone"),
            Example("albumctl asset list --json | jq -r '.[].localIdentifier'", "every identifier"),
        ],
        run: listAssets)
}

private func listAssets(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let limit = try arguments.number("limit")
    guard ["album", "residency", "smart"].count(where: arguments.has) < 2 else {
        throw .usage("--album, --smart or --residency: one of them")
    }
    var query: [String: String] = [:]
    query["smart"] = try arguments.text("smart")
    query["residency"] = try arguments.text("residency")
    if let album = try arguments.text("album") {
        query["album"] = try invocation.api.album(named: album).uuid.uuidString
    }
    var json: [[UInt8]] = []
    var isFirst = true
    try invocation.api.pages(.listAssets, query: query, limit: limit, of: AssetRow.self) { rows in
        if output.isJSON {
            json += rows.map { JSON.encode($0) }
        } else {
            output.lines(Array(assetTable(rows).dropFirst(isFirst ? 0 : 1)))
        }
        isFirst = false
    }
    if output.isJSON { output.json(Array("[".utf8) + json.joined(separator: ",".utf8) + Array("]".utf8)) }
    return .done
}

/// All columns but the last are as wide on every page.
func assetTable(_ rows: [AssetRow]) -> [String] {
    guard !rows.isEmpty else { return ["There is no asset."] }
    var table = Table("IDENTIFIER", "TYPE   ", "CREATED", "SIZE     ", "NAME")
    for row in rows {
        let byteCount = row.resources.first?.versions.last?.byteCount ?? 0
        table.add(
            "\(row.localIdentifier)", row.mediaType.rawValue, localTime(row.creationDate), size(byteCount), name(row))
    }
    return table.lines
}

private func name(_ row: AssetRow) -> String {
    let versions = row.resources.flatMap(\.versions)
    let residency = Residency.farthest(versions.map(\.residency))
    let places = whereabouts(
        row.resources.flatMap { resource in
            resource.versions.enumerated().map { (versionName($0, of: resource.versions.count), $1.residency) }
        })
    let remarks =
        (row.state == .live ? [] : [row.state.rawValue])
        + (places.isEmpty && residency != .local ? [residency.rawValue] : places)
        + versions.compactMap { $0.transfer?.rawValue }.prefix(1) + (row.isPinned ? ["pinned"] : [])
        + damage(versions.map { ($0.residency, $0.condition, $0.isDoubted) })
    let remark = remarks.isEmpty ? "" : "  (\(remarks.joined(separator: ", ")))"
    return shown(row.originalFilename, row.originalFilenameBase64) + remark
}
