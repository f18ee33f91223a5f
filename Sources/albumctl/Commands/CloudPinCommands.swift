import Control
import FoundationEssentials
import PhotoModel
import Platform

extension Command {
    static let cloudPin = Command(
        name: "cloud pin", summary: "keep the originals of assets on the disk, whatever the rules say",
        operands: "ID… | --path PATH…", operandCount: 0...Int.max,
        options: [.path, .value("until", "DATE", "2027-01-31, in UTC, or a time such as 2027-01-31T18:00:00+01:00")],
        about: """
            What is in the cloud is fetched soon, and nothing evicts it while it is pinned. A pin is stronger than every
            rule of an album.
            """,
        examples: [
            Example("albumctl cloud pin 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "for ever"),
            Example("albumctl cloud pin ID --until 2027-01-31", "for the journey"),
        ],
        run: { (invocation) throws(Problem) in
            let until = try invocation.arguments.text("until").map(date)
            if let until, until <= invocation.host.machine.now() { throw .usage("--until names a time that is over") }
            return try pin(invocation, isPinned: true, until: until)
        })

    static let cloudUnpin = Command(
        name: "cloud unpin", summary: "let the rules decide again where the originals of assets are",
        operands: "ID… | --path PATH…", operandCount: 0...Int.max,
        options: [.path],
        about: "They stay where they are until a rule, or a command, moves them.",
        examples: [Example("albumctl cloud unpin 0F8B1C6E-5A0D-4C0B-9E53-7A3A5E0C2F11/L0/001", "no longer pinned")],
        run: { (invocation) throws(Problem) in try pin(invocation, isPinned: false, until: nil) })
}

private func pin(_ invocation: Invocation, isPinned: Bool, until: Date?) throws(Problem) -> ExitCode {
    let subjects = try invocation.arguments.subjects(isPinned ? "to be pinned" : "to be pinned no longer")
    let request = PinRequest(subjects: subjects, isPinned: isPinned, until: until)
    let answer = try invocation.api.ask(.pinAssets, body: request, isLong: true, as: TokenResult.self)
    guard !invocation.output.isJSON else {
        invocation.output.json(answer.json)
        return .done
    }
    let asBefore = answer.value.token == nil ? ", as before" : ""
    let end = until.map { " until \(localTime($0))" } ?? ""
    let what = counted(subjects.count, "asset", one: "is", many: "are")
    invocation.output.line("\(what) \(isPinned ? "pinned" : "pinned no longer")\(end)\(asBefore).")
    return .done
}

/// A day means its beginning.
private func date(_ text: String) throws(Problem) -> Date {
    guard let date = Date(rfc3339: text) ?? Date(rfc3339: text + "T00:00:00Z") else {
        throw .usage("--until wants 2027-01-31 or a time such as 2027-01-31T18:00:00+01:00, not '\(printable(text))'")
    }
    return date
}
