import Control
import PhotoModel

extension Command {
    static let cloudRule = Command(
        name: "cloud rule", summary: "say where an album wants the originals of its assets",
        operands: "ALBUM", operandCount: 1...1,
        options: [
            .flag("keep-local", "on the disk, whatever the configuration says"),
            .flag("in-cloud", "in the cloud, as soon as they are proven there"),
            .flag("none", "wherever they fit, as without a rule"),
        ],
        about: """
            ALBUM is an identifier or a title. Where an asset is in several albums, --keep-local wins over --in-cloud,
            and a pin wins over both. albumctl cloud plan shows what will move.
            """,
        examples: [
            Example("albumctl cloud rule Archive --in-cloud", "off the disk with them"),
            Example("albumctl cloud rule 'Summer 2026' --keep-local", "these stay here"),
        ],
        run: setRule)
}

private func setRule(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let rules: [(option: String, tier: AlbumTier?, words: String)] = [
        ("keep-local", .keepLocal, "keeps its originals on the disk"),
        ("in-cloud", .inCloud, "sends its originals to the cloud"), ("none", nil, "has no rule"),
    ]
    let given = rules.filter { arguments.has($0.option) }
    guard let rule = given.first, given.count == 1 else {
        throw .usage("say one of --keep-local, --in-cloud and --none")
    }
    let album = try invocation.api.album(named: try arguments.operandText(0, "an album"))
    let request = AlbumTierRequest(album: "\(album)", tier: rule.tier)
    let answer = try invocation.api.ask(.setAlbumTier, body: request, as: TokenResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    output.line("\(album) \(rule.words)\(answer.value.token == nil ? ", as before" : "").")
    return .done
}
