import Control
import PhotoModel

extension Command {
    static let mapGet = Command(
        name: "map get", summary: "find the mapping of a file, an asset, or an identifier of your own",
        options: mapOptions + [.null],
        about: """
            A mapping ties a source file to the asset that it became, and your own identifier to the asset that you
            saved under it. Exit status 4 means that there is none. A file may be gone and still be mapped.
            """,
        examples: [
            Example("albumctl map get --path IMG_1.jpg", "which asset is this file?"),
            Example("albumctl map get --id 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "which files is it?"),
            Example("albumctl map get --external flickr:4711 --json", "what did I save under this name?"),
        ],
        run: showMappings)

    static let mapCheck = Command(
        name: "map check", summary: "say in one word how a mapping stands",
        options: mapOptions,
        about: """
            `live` (exit status 0): the asset is in the library. `absent` (4): nothing is mapped. `dangling` (1): the
            asset is no longer there. `trashed` (1): it is in Recently Deleted.
            """,
        examples: [
            Example(
                "albumctl map check --external flickr:4711 || albumctl save IMG.jpg --external flickr:4711",
                "save it unless it is there")
        ],
        run: checkMapping)
}

private let mapOptions: [Option] = [
    .value("path", "PATH", "by a source file"),
    .value("id", "ID", "by an asset's identifier"),
    .value("external", "TEXT", "by an identifier of your own, as given to save --external"),
]

private func showMappings(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = try mapped(invocation.arguments)
    let answer = try invocation.api.ask(.getMapping, body: request, as: MappingResult.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else if invocation.arguments.has("null") {
        for row in answer.value.rows { invocation.output.path(row.path, row.pathBase64) }
    } else {
        invocation.output.lines(answer.value.rows.isEmpty ? ["absent"] : answer.value.rows.map(mappingText))
    }
    return answer.value.rows.isEmpty ? .notFound : .done
}

private func checkMapping(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let request = try mapped(invocation.arguments)
    let answer = try invocation.api.ask(.checkMapping, body: request, as: MappingResult.self)
    let state = answer.value.state
    if invocation.output.isJSON { invocation.output.json(answer.json) } else { invocation.output.line(state.rawValue) }
    switch state {
    case .live: return .done
    case .absent: return .notFound
    case .dangling, .trashed: return .failed
    }
}

private func mapped(_ arguments: Arguments) throws(Problem) -> SubjectRequest {
    guard mapOptions.filter({ arguments.has($0.name) }).count == 1 else {
        throw .usage("give one of --path, --id and --external")
    }
    if let path = arguments.bytes("path") { return SubjectRequest(path: try absolutePath(path)) }
    if let external = try arguments.text("external") { return SubjectRequest(externalIdentifier: external) }
    let text = try arguments.text("id") ?? ""
    guard let identifier = LocalIdentifier(text) else { throw .usage("--id wants an identifier, not '\(text)'") }
    return SubjectRequest(localIdentifier: identifier)
}

/// One mapping on one line.
func mappingText(_ row: MappingRow) -> String {
    var parts = [padded(row.state.rawValue, to: 8), row.localIdentifier.map { "\($0)" } ?? "no asset"]
    let outcome = [row.outcome?.rawValue, row.reason?.rawValue].compactMap { $0 }.joined(separator: "/")
    if !outcome.isEmpty { parts.append(outcome) }
    if let external = row.externalIdentifier { parts.append("external " + shown(external)) }
    if let departed = row.departedDate { parts.append("gone since \(localTime(departed))") }
    if let path = row.path { parts.append(shown(path, row.pathBase64)) }
    return parts.joined(separator: "  ")
}
