/// Answers to what no route takes.
extension Problem {
    package static func noRoute(_ path: String) -> Problem {
        .notFound("there is no \(path)", fix: "docs/openapi.yaml lists what there is")
    }

    /// The path is there, and takes these methods.
    package static func methodNotAllowed(_ methods: [Request.Method], at path: String) -> Problem {
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        return Problem(
            "methodNotAllowed", title: "Not with this method", status: 405, detail: "\(path) takes \(allowed)",
            fix: "send it with \(allowed.replacing(", ", with: " or "))", exitCode: 2)
    }
}

extension Response {
    /// With the methods that RFC 9110, 15.5.6, wants an answer 405 to list.
    package func allowing(_ methods: [Request.Method]) -> Response {
        var response = self
        response.headers.append(("Allow", methods.map(\.rawValue).joined(separator: ", ")))
        return response
    }
}
