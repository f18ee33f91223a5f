import Glibc
import Testing

/// What a command line said, on both its outputs, and how it ended.
struct ShellAnswer {
    var output: String
    var status: Int32
}

/// Runs a command line to its end (popen(3)).
func shell(_ line: String) throws -> ShellAnswer {
    let pipe = try #require(popen("exec 2>&1\n" + line, "re"), "popen failed: \(errno)")
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { output += chunk[..<count] }
    let status = pclose(pipe)
    return ShellAnswer(output: String(decoding: output, as: UTF8.self), status: status & 0x7F == 0 ? status >> 8 : -1)
}

/// Whether a program is on the PATH; says what is left out where it is not.
func isInstalled(_ program: String) -> Bool {
    let answer = try? shell("command -v \(program)")
    if answer?.status == 0 { return true }
    print("skipped, because \(program) is not installed")
    return false
}

/// A word of a command line, whatever it holds.
func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
