import Control
import PhotoModel

extension Command {
    static let cloudRule = Command(
        name: "cloud rule", summary: "say, or show, where an album wants the originals of its assets",
        operands: "ALBUM", operandCount: 1...1,
        options: [
            .flag("keep-local", "on the disk, whatever the configuration says"),
            .flag("in-cloud", "in the cloud, as soon as they are proven there"),
            .flag("none", "wherever they fit, as without a rule"),
        ],
        about: """
            ALBUM is an identifier or a title. Where an asset is in several albums, --keep-local wins over --in-cloud,
            and a pin wins over both. Without an option it tells the album's rule. albumctl cloud status lists all rules,
            albumctl cloud plan shows what will move.
            """,
        examples: [
            Example("albumctl cloud rule Archive", "which rule has it?"),
            Example("albumctl cloud rule Archive --in-cloud", "off the disk with them"),
            Example("albumctl cloud rule 'Summer 2026' --keep-local", "these stay here"),
        ],
        run: setRule)
}

private let rules: [(option: String, tier: AlbumTier?)] = [
    ("keep-local", .keepLocal), ("in-cloud", .inCloud), ("none", nil),
]

/// What an album with a rule does, after its name.
func words(of tier: AlbumTier?) -> String {
    switch tier {
    case .keepLocal: "keeps its originals on the disk"
    case .inCloud: "sends its originals to the cloud"
    case nil: "has no rule"
    }
}

private func setRule(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let given = rules.filter { arguments.has($0.option) }
    guard given.count <= 1 else { throw .usage("say one of --keep-local, --in-cloud and --none") }
    let album = try invocation.api.album(named: try arguments.operandText(0, "an album"))
    guard let rule = given.first else { return try tellRule(of: album, invocation) }
    let request = AlbumTierRequest(album: "\(album)", tier: rule.tier)
    let answer = try invocation.api.ask(.setAlbumTier, body: request, as: TokenResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    output.line("\(album) \(words(of: rule.tier))\(answer.value.token == nil ? ", as before" : "").")
    return .done
}

private func tellRule(of album: LocalIdentifier, _ invocation: Invocation) throws(Problem) -> ExitCode {
    let answer = try invocation.api.ask(.getAlbum, id: album, as: AlbumRow.self)
    if invocation.output.isJSON {
        invocation.output.json(answer.json)
    } else {
        let row = answer.value
        invocation.output.line("\(album) \(words(of: row.tier)): \(shown(row.title, row.titleBase64))")
    }
    return .done
}
