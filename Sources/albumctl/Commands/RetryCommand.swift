import Control
import Platform

extension Command {
    static let retry = Command(
        name: "retry", summary: "look now at what waits, instead of at its time",
        operands: "[PATH|ID]", operandCount: 0...1,
        options: [.flag("all", "everything that waits, was refused or failed")],
        about: """
            Use it once you have mended a cause: a permission, a full disk, a missing album. albumd would come back by
            itself, only later. It does not wait for the outcome; `albumctl flush` does.
            """,
        examples: [
            Example("albumctl retry --all && albumctl flush", "try everything, and wait"),
            Example("albumctl retry /srv/photos/inbox/IMG_1.jpg", "one file"),
        ],
        run: retryNow)
}

private func retryNow(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let (arguments, output) = (invocation.arguments, invocation.output)
    guard arguments.operands.isEmpty == arguments.has("all") else {
        throw .usage("retry wants a file, an identifier, or --all", fix: "albumctl pending lists what waits")
    }
    var request = SubjectRequest()
    if let argument = arguments.operands.first { request = try subject(of: argument) } else { request.all = true }
    let answer = try invocation.api.ask(.retry, body: request, as: CountResult.self)
    guard !output.isJSON else {
        output.json(answer.json)
        return .done
    }
    let count = answer.value.count
    output.line(count == 0 ? "Nothing waits there." : "Looking again at \(counted(count, "file")).")
    return .done
}
