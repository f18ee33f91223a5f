import Control
import Platform

extension Response {
    /// A method that no route takes, such as HEAD.
    static func notAMethod(at path: String) -> Response {
        let methods = Router.methods(at: path)
        guard !methods.isEmpty else { return Problem.noRoute(path).response }
        return Problem.methodNotAllowed(methods, at: path).response.allowing(methods)
    }

    static func bodyTooLarge(limit: Int) -> Response {
        Problem(
            "contentTooLarge", title: "The body is too large", status: 413,
            detail: "a body may have at most \(counted(limit, "byte")) here", exitCode: 2
        ).response
    }

    static func badRequest(_ reason: String) -> Response { Problem.badRequest(reason).response }
}
