import Control

extension Response {
    /// What the server itself answers, before any route: RFC 9457 problem details.
    ///
    /// The texts are ours and plain ASCII.
    static func refusal(_ status: Int, _ title: StaticString, _ detail: String, allow: String? = nil) -> Response {
        let json = #"{"type":"about:blank","title":"\#(title)","status":\#(status),"detail":"\#(detail)"}"#
        return Response(
            status: status, contentType: "application/problem+json", headers: allow.map { [("Allow", $0)] } ?? [],
            body: .bytes(Array(json.utf8)))
    }

    static var notAMethod: Response {
        let methods = Request.Method.allCases.map(\.rawValue).joined(separator: ", ")
        return .refusal(405, "Method not allowed", "only \(methods) are understood", allow: methods)
    }

    static func bodyTooLarge(limit: Int) -> Response {
        .refusal(413, "Content too large", "a body may have at most \(limit) bytes here")
    }

    static func badRequest(_ reason: String) -> Response { .refusal(400, "Bad request", reason) }
}
