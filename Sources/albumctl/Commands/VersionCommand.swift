import Control

extension Command {
    static let version = Command(
        name: "version", summary: "tell the versions of albumctl and albumd",
        about: """
            The two are released together. Where albumd does not answer, only albumctl's is told, and the exit status
            is 69.
            """,
        examples: [Example("albumctl version", "are both of one release?")],
        run: tellVersions)
}

/// What `version --json` prints.
private struct Versions: Encodable {
    var albumctl = Release.version
    var albumd: String?
    var libraryFormat: Int?
    /// Why albumd did not tell its own.
    var error: Problem?
}

private func tellVersions(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let output = invocation.output
    do throws(Problem) {
        let daemon = try invocation.api.ask(.version, as: VersionResult.self).value
        tell(Versions(albumd: daemon.version, libraryFormat: daemon.libraryFormat), output)
        return .done
    } catch {
        // Its own version is an answer already, to whoever asks why the daemon gives none.
        tell(Versions(error: error), output)
        guard output.isJSON else { throw error }
        output.remark("albumctl: " + error.detail)
        return ExitCode(rawValue: Int32(clamping: error.exitCode)) ?? .failed
    }
}

private func tell(_ versions: Versions, _ output: Output) {
    guard !output.isJSON else { return output.json(JSON.encode(versions)) }
    output.line("albumctl \(versions.albumctl)")
    let format = versions.libraryFormat.map { ", library format \($0)" } ?? ""
    output.line("albumd   \(versions.albumd.map { $0 + format } ?? "does not answer")")
}
