import Control
import Platform

extension Response {
    /// A method that no route takes, such as HEAD.
    static func notAMethod(at path: String) -> Response {
        let methods = Router.methods(at: path)
        guard !methods.isEmpty else { return Problem.noRoute(path).response }
        return Problem.methodNotAllowed(methods, at: path).response.allowing(methods)
    }

    static func bodyTooLarge(limit: Int) -> Response { Problem.bodyTooLarge(limit: limit).response }

    static func badRequest(_ reason: String) -> Response { Problem.badRequest(reason).response }
}

// What is refused without being looked at further.
extension Problem {
    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            "contentTooLarge", title: "The body is too large", status: 413,
            detail: "a body may have at most \(counted(limit, "byte")) here", fix: "send less at once", exitCode: 2)
    }

    static func malformedHead(_ detail: String) -> Problem { .badRequest(detail, fix: plainHTTP) }

    static let otherVersion = Problem(
        "versionNotSupported", title: "Another version of HTTP", status: 505, detail: "this is HTTP/1.1",
        fix: plainHTTP, exitCode: 2)

    static let otherCoding = Problem(
        "codingNotSupported", title: "Another transfer coding", status: 501,
        detail: "only the transfer coding 'chunked' is understood", fix: plainHTTP, exitCode: 2)

    static let targetTooLong = Problem(
        "targetTooLong", title: "The request line is too long", status: 414, detail: longestHead,
        fix: "put long values into a body", exitCode: 2)

    static let headTooLarge = Problem(
        "headTooLarge", title: "The head is too large", status: 431, detail: longestHead,
        fix: "send fewer and shorter headers, query parameters and cookies", exitCode: 2)

    static let headTooSlow = Problem(
        "headTooSlow", title: "The head did not come in time", status: 408,
        detail: "the head of the request was not whole in time", fix: "send the whole head at once")

    private static let longestHead =
        "a head may have at most \(counted(HeadSyntax.longestHead, "byte")) and 256 lines, parameters and cookies"
    private static let plainHTTP = "send HTTP/1.1 as curl --unix-socket does"
}
