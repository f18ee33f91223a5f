import Control

/// The head of a request as libmicrohttpd read it, and what is to become of the request.
///
/// Its syntax is in order, the lengths included (`HeadSyntax`).
struct RequestHead {
    enum Judgement {
        case refuse(Response)
        /// Answered when its body, if any, is there.
        case collect(Request)
        /// Its body streams, if it is welcome.
        case upload(Request)
    }

    let method: String
    let contentLength: String?
    let transferEncoding: String?

    var hasBody: Bool { transferEncoding != nil || (byteCount ?? 0) > 0 }

    private var byteCount: Int64? { contentLength.flatMap { Int64($0) } }

    func judge(target: [UInt8], peer: Peer, limits: Limits) -> Judgement {
        do throws(RequestTarget.Malformed) {
            let target = try RequestTarget(target)
            guard let method = Request.Method(rawValue: method) else { return .refuse(.notAMethod(at: target.path)) }
            let request = Request(
                method: method, path: target.path, query: target.query, body: [], peer: peer, byteCount: byteCount)
            return judge(request, limits)
        } catch {
            return .refuse(.badRequest(error.reason))
        }
    }

    private func judge(_ request: Request, _ limits: Limits) -> Judgement {
        switch request.method {
        case .get, .delete:
            guard !hasBody else { return .refuse(.badRequest("a GET or DELETE has no body")) }
        case .put where limits.uploadPaths.contains(request.path):
            return .upload(request)
        case .put, .post:
            let limit = limits.bodyBytes(at: request.path)
            guard byteCount ?? 0 <= limit else { return .refuse(.bodyTooLarge(limit: limit)) }
        }
        return .collect(request)
    }
}
