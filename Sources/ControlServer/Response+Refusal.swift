import Control
import Platform

extension Response {
    /// An unknown method, before any route (RFC 9110, 15.5.6).
    static var notAMethod: Response {
        let methods = Request.Method.allCases.map(\.rawValue).joined(separator: ", ")
        var response = Problem(
            "methodNotAllowed", title: "The method is not understood", status: 405, detail: "only \(methods) are",
            exitCode: 2
        ).response
        response.headers.append(("Allow", methods))
        return response
    }

    static func bodyTooLarge(limit: Int) -> Response {
        Problem(
            "contentTooLarge", title: "The body is too large", status: 413,
            detail: "a body may have at most \(counted(limit, "byte")) here", exitCode: 2
        ).response
    }

    static func badRequest(_ reason: String) -> Response { Problem.badRequest(reason).response }
}
