import Control
import Platform

extension Command {
    static let configCheck = Command(
        name: "config check", summary: "say whether the configuration is right, without the daemon",
        options: [.value("config", "FILE", "this file instead of the usual one")],
        about: """
            Runs `albumd --check-config`, which stands beside albumctl, and ends as that does: 0 where everything is
            right, 78 where it is not. An error names file, line, column, the bad value and what is allowed.
            """,
        examples: [
            Example("albumctl config check", "what the service would read"),
            Example("albumctl config check --config ./albumd.toml", "another file"),
        ],
        run: checkConfiguration)
}

private func checkConfiguration(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let program = albumd(beside: invocation.host.executable)
    var arguments = ["--check-config"].map { Array($0.utf8) }
    if let file = invocation.arguments.bytes("config") { arguments += [Array("--config".utf8), file] }
    // Nothing of ours waits to be written: what albumd says comes next, and its exit code is ours.
    guard invocation.output.isJSON else { throw notRun(program, becomeProgram(program, arguments)) }
    let ended = try captureProgram(program, arguments)
    guard ended.status == 0 else {
        throw Problem(
            "configuration", title: "The configuration is wrong", status: 400,
            detail: sentences(of: ended.text), fix: "mend the file, then albumctl config check",
            exitCode: Int(ended.status))
    }
    invocation.output.json(JSON.encode(Checked(isRight: true, text: ended.text)))
    return .done
}

/// The error as one line, without the name of the program that said it.
private func sentences(of text: String) -> String {
    let name = "albumd: "
    let error = text.hasPrefix(name) ? text.dropFirst(name.count) : text[...]
    return error.isEmpty ? "albumd gave no reason" : error.split(separator: "\n").joined(separator: "; ")
}

/// What `config check --json` prints where all is well.
private struct Checked: Encodable {
    let isRight: Bool
    let text: String
}

func captureProgram(
    _ program: [UInt8], _ arguments: [[UInt8]]
) throws(Problem) -> (status: Int32, text: String) {
    do throws(FileError) {
        let ended = try runProgram(program, arguments)
        let text = String(decoding: ended.output, as: UTF8.self)
        return (ended.status, text.split(separator: "\n").joined(separator: "\n"))
    } catch {
        throw notRun(program, error)
    }
}

func notRun(_ program: [UInt8], _ error: FileError) -> Problem {
    .failed("'\(printable(program))' cannot be run: \(error)", fix: "install albumd and albumctl side by side")
}

func albumd(beside executable: [UInt8]) -> [UInt8] {
    let end = executable.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return Array(executable[..<end]) + Array("albumd".utf8)
}
