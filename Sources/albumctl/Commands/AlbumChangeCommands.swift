import Control
import Platform

extension Command {
    static let albumAdd = Command(
        name: "album add", summary: "put assets into an album",
        operands: "ALBUM ID…", operandCount: 2...Int.max,
        about: """
            ALBUM is an identifier or a title. All assets are put in, or, where one is unknown, none. An asset may be
            in many albums; its bytes are kept once.
            """,
        examples: [Example("albumctl album add Best 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "one more")],
        run: { (invocation) throws(Problem) in try change(invocation, .addAssets) })

    static let albumRemove = Command(
        name: "album remove", summary: "take assets out of an album; they stay in the library",
        operands: "ALBUM ID…", operandCount: 2...Int.max,
        about: """
            ALBUM is an identifier or a title. What you take out stays out: a folder that is scanned again does not put
            it back.
            """,
        examples: [Example("albumctl album remove Inbox 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "out of it")],
        run: { (invocation) throws(Problem) in try change(invocation, .removeAssets) })
}

private func change(_ invocation: Invocation, _ kind: ClientChange.Kind) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    let assets = try arguments.identifiers(from: 1)
    let album = try invocation.api.album(named: try arguments.operandText(0, "an album"))
    let request = ChangesRequest(changes: [ClientChange(change: kind, album: album, assets: assets)])
    let answer = try invocation.api.ask(.performChanges, body: request, isLong: true, as: ChangesResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    let what = kind == .addAssets ? "in" : "not in"
    let isNews = answer.value.token == nil ? ", as before" : ""
    output.line("\(counted(assets.count, "asset", one: "is", many: "are")) \(what) \(album)\(isNews).")
    return .done
}
