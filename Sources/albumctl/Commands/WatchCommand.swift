import Control
import PhotoModel
import Platform
import Synchronization

extension Command {
    static let watch = Command(
        name: "watch", summary: "follow the changes of the library as they are committed",
        options: [.value("after", "TOKEN", "begin after this change; 0 is the beginning (from now on)")],
        about: """
            Every change has a token that only grows. When the connection ends, it says from which token to go on, and
            exits with status 69. A token that the library has not come to is refused, as after an older copy was put back.
            With --json each line is a change, and the last is {"end": …} or {"error": …}.
            """,
        examples: [
            Example("albumctl watch", "what happens from now on"),
            Example("albumctl watch --after 0 --json", "everything that ever happened, then what happens"),
        ],
        run: watchChanges)
}

private func watchChanges(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (api, output) = (invocation.api, invocation.output)
    var token = try firstToken(invocation)
    let query = ["after": String(token), "follow": "true"]
    var ended = Problem.unreachable("albumd ended the feed", fix: "")
    do throws(Problem) {
        _ = try api.stream(.listChanges, query: query, of: ChangeLine.self) { row in
            token = row.token
            if output.isJSON { output.json(JSON.encode(row)) } else { output.lines(lines(of: row)) }
        }
    } catch {
        guard error.exitCode == ended.exitCode else { throw error }
        ended = error
    }
    // Cut off or ended, it is all one: the next watch goes on from here.
    if output.isJSON { output.json(JSON.encode(ChangeLine.end(ChangeEnd(token: token)))) }
    output.remark("albumctl: \(ended.detail)")
    let again = invocation.arguments.again(.watch, with: ["after": String(token)])
    indented((ended.fix ?? "") + "\n" + again).forEach(output.remark)
    return .unreachable
}

/// Where to begin: after the newest change, if nobody says.
private func firstToken(_ invocation: Invocation) throws(Problem) -> Int64 {
    if let token = try invocation.arguments.number("after") { return token }
    return try invocation.api.ask(.status, as: StatusReport.self).value.token
}

private func lines(of row: ChangeRow) -> [String] {
    row.changes.map { "\(row.token)  \(localTime(row.date))  \($0.name.rawValue)\(about($0))" }
}

/// What a request is about: identifiers first, names after.
func about(_ request: ChangeRequest) -> String {
    switch request {
    case .createAsset(let value): "  \(value.localIdentifier)  \(name(value.originalFilename))"
    case .addVersion(let value): "  \(value.localIdentifier)  \(value.content.hash)"
    case .addResource(let value): "  \(value.localIdentifier)  \(name(value.originalFilename))"
    case .arrangeResources(let value): "  \(value.localIdentifier)  \(value.mediaType.rawValue)"
    case .createAlbum(let value): "  \(value.localIdentifier)  \(name(value.title))"
    case .renameAlbum(let value): "  \(value.localIdentifier)  \(name(value.title))"
    case .addAssets(let value): "  \(value.album)  \(counted(value.assets.count, "asset"))"
    case .removeAssets(let value): "  \(value.album)  \(counted(value.assets.count, "asset"))"
    case .registerFolder(let value): "  \(name(value.path))"
    case .recordSource(let value): "  \(value.outcome.rawValue)/\(value.reason.rawValue)  \(name(value.key.path))"
    case .forgetSource(let value): "  \(name(value.path))"
    case .bindExternal(let value): "  \(value.localIdentifier)  \(shown(value.externalIdentifier))"
    case .trashAssets(let value): "  \(counted(value.assets.count, "asset"))  \(value.reason.rawValue)"
    case .restoreAssets(let value): "  \(counted(value.assets.count, "asset"))"
    case .purgeAsset(let value):
        "  \(value.localIdentifier)  \(value.reason.rawValue)  \(value.originalFilenames.map(name).joined(separator: ", "))"
    case .deleteAlbum(let value): "  \(value.localIdentifier)"
    case .setMembership(let value): "  \(value.album)  \(value.asset)"
    case .releaseExternal(let value): "  \(shown(value.externalIdentifier))"
    case .releaseFolderAlbum(let value): "  \(name(value.directory))"
    case .setResidency(let value): "  \(value.residency.rawValue)  \(value.hash)"
    case .setTransfer(let value): "  \(value.transfer?.rawValue ?? "done")  \(value.hash)"
    case .setPin(let value): "  \(value.localIdentifier)  \(value.isPinned ? "pinned" : "not pinned")"
    case .setAlbumTier(let value): "  \(value.album)  \(value.tier?.rawValue ?? "no rule")"
    case .setFacts(let value): "  \(value.localIdentifier)  \(value.facts.mediaSubtypes.names.joined(separator: ", "))"
    default: ""
    }
}

private func name(_ path: PathBytes) -> String {
    let name = Name(path)
    return shown(name.text, name.base64)
}
