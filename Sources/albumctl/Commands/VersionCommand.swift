import Control

extension Command {
    static let version = Command(
        name: "version", summary: "tell the versions of albumctl and albumd",
        about: "The two are released together. Where albumd does not answer, only albumctl's is told.",
        examples: [Example("albumctl version", "are both of one release?")],
        run: tellVersions)
}

/// What `version --json` prints.
private struct Versions: Encodable {
    var albumctl = Release.version
    var albumd: String?
    var libraryFormat: Int?
}

private func tellVersions(_ invocation: Invocation) throws(Problem) -> ExitCode {
    let daemon = try? invocation.api.ask(.version, as: VersionResult.self).value
    guard !invocation.output.isJSON else {
        let versions = Versions(albumd: daemon?.version, libraryFormat: daemon?.libraryFormat)
        invocation.output.json(JSON.encode(versions))
        return .done
    }
    invocation.output.line("albumctl \(Release.version)")
    let answer = daemon.map { "\($0.version), library format \($0.libraryFormat)" } ?? "does not answer"
    invocation.output.line("albumd   \(answer)")
    return .done
}
