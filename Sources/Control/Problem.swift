/// An error as the API tells it: RFC 9457 problem details, with the act that mends it.
package struct Problem: Codable, Sendable, Equatable, Error {
    /// What kind of problem: stable, for programs.
    ///
    /// `albumd:` and a word.
    package var type: String
    package var title: String
    package var status: Int
    package var detail: String
    /// PhotoKit's error code where it has one (PHPhotosError).
    package var code: Int?
    /// The command, or the file to change; always there but in what another albumd may say.
    package var fix: String?
    /// The exit code of `albumctl`: 1 failed, 2 usage, 4 not found, 5 refused.
    package var exitCode: Int

    package init(
        _ type: String, title: String, status: Int, detail: String, code: Int? = nil, fix: String, exitCode: Int = 1
    ) {
        self.type = "albumd:" + type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.fix = fix
        self.exitCode = exitCode
    }

    package static func badRequest(_ detail: String, fix: String = howToAsk) -> Problem {
        Problem(
            "badRequest", title: "The request is not understood", status: 400, detail: detail, fix: fix, exitCode: 2)
    }

    /// PHPhotosError.networkAccessRequired.
    package static let networkAccessRequired = 3164

    package static let howToAsk = "docs/openapi.yaml tells what each request takes"

    package static func notFound(_ detail: String, fix: String) -> Problem {
        Problem(
            "identifierNotFound", title: "There is no such thing", status: 404, detail: detail, code: 3201, fix: fix,
            exitCode: 4)
    }

    package static func refused(_ detail: String, fix: String) -> Problem {
        Problem(
            "accessUserDenied", title: "This user may not do that", status: 403, detail: detail, code: 3311, fix: fix,
            exitCode: 5)
    }

    package static func conflict(_ type: String, _ detail: String, fix: String) -> Problem {
        Problem(type, title: "It contradicts what the library has", status: 409, detail: detail, fix: fix, exitCode: 5)
    }

    package static func unavailable(_ detail: String, fix: String) -> Problem {
        Problem("unavailable", title: "Not now", status: 503, detail: detail, fix: fix)
    }

    package static func internalError(_ detail: String) -> Problem {
        Problem(
            "internalError", title: "albumd failed", status: 500, detail: detail, code: -1, fix: "journalctl -u albumd")
    }

    package var response: Response {
        Response(status: status, contentType: "application/problem+json", body: .bytes(JSON.encode(self)))
    }
}
