import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform

/// The daemon as a command sees it: operations of the API, asked by their names.
struct API: Sendable {
    /// An answer, read, and as it came.
    struct Answer<Value> {
        let value: Value
        let json: [UInt8]
        let status: Int
    }

    let place: SocketPlace
    /// For what the daemon answers at once; a minute is generous.
    private let quick: HTTPClient
    /// For what takes as long as it takes.
    private let patient: HTTPClient

    init(_ place: SocketPlace) {
        self.place = place
        quick = HTTPClient(socketPath: place.path, timeout: .seconds(60))
        patient = HTTPClient(socketPath: place.path)
    }

    /// Asks, and reads the answer as `type`.
    ///
    /// A refusal of the daemon is thrown as it came.
    func ask<Value: Decodable>(
        _ operation: Operation, id: LocalIdentifier? = nil, query: [String: String] = [:],
        body: (any Encodable)? = nil, isLong: Bool = false, as type: Value.Type
    ) throws(Problem) -> Answer<Value> {
        let reply = try send(operation, id: id, query: query, body: body, isLong: isLong)
        return Answer(value: try read(type, reply.body), json: reply.body, status: reply.status)
    }

    /// Asks, and returns the answer's body as it came.
    func fetch(
        _ operation: Operation, body: (any Encodable)? = nil, isLong: Bool = false
    ) throws(Problem) -> [UInt8] {
        try send(operation, id: nil, query: [:], body: body, isLong: isLong).body
    }

    private func send(
        _ operation: Operation, id: LocalIdentifier?, query: [String: String], body: (any Encodable)?, isLong: Bool
    ) throws(Problem) -> HTTPReply {
        let (method, path) = request(operation, id)
        return try reply { () throws(HTTPClientError) in
            try (isLong ? patient : quick).send(method, path, query: query, body: bytes(of: body, for: method))
        }
    }

    /// Follows a stream line by line until `each` returns false; true where that was so.
    func follow(
        _ operation: Operation, query: [String: String] = [:], body: (any Encodable)? = nil,
        each: @escaping ([UInt8]) -> Bool
    ) throws(Problem) {
        let (method, path) = request(operation, nil)
        _ = try reply { () throws(HTTPClientError) in
            try patient.lines(path, method: method, query: query, body: bytes(of: body, for: method), each: each)
        }
    }

    /// Sends what is left of an open file.
    func upload(
        from descriptor: Int32, progress: @escaping (Int64, Int64?) -> Void
    ) throws(Problem) -> UploadReceipt {
        let reply = try reply { () throws(HTTPClientError) in
            try patient.upload(Operation.upload.route.path, from: descriptor, progress: progress)
        }
        return try read(UploadReceipt.self, reply.body)
    }

    /// Writes the bytes of an original to an open file.
    func download(
        _ operation: Operation, _ id: LocalIdentifier, query: [String: String], to descriptor: Int32,
        progress: @escaping (Int64, Int64?) -> Void
    ) throws(Problem) {
        let (_, path) = request(operation, id)
        _ = try reply { () throws(HTTPClientError) in
            try patient.download(path, query: query, to: descriptor, progress: progress)
        }
    }

    private func request(_ operation: Operation, _ id: LocalIdentifier?) -> (HTTPClient.Method, String) {
        let route = operation.route
        let path = route.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == "{id}" ? id?.uuid.uuidString ?? "" : String($0) }.joined(separator: "/")
        return (HTTPClient.Method(route.method), path)
    }

    private func bytes(of body: (any Encodable)?, for method: HTTPClient.Method) -> [UInt8] {
        guard method != .get else { return [] }
        return body.map { JSON.encode($0) } ?? Array("{}".utf8)
    }

    /// The reply, where it is a success; else what the daemon, or the socket, said.
    private func reply(_ ask: () throws(HTTPClientError) -> HTTPReply) throws(Problem) -> HTTPReply {
        let reply: HTTPReply
        do throws(HTTPClientError) { reply = try ask() } catch { throw problem(of: error) }
        guard !reply.isSuccess else { return reply }
        if let problem = try? JSON.decode(Problem.self, from: reply.body) { throw problem.forTyping }
        throw .failed("albumd answered with the status \(reply.status) and no reason", fix: "journalctl -u albumd")
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(Problem) -> Value {
        do throws(Problem) { return try JSON.decode(type, from: bytes) } catch {
            throw .failed(
                "the answer of albumd is not understood: \(error.detail)",
                fix: "albumctl version says whether albumctl and albumd are of one release")
        }
    }
}

extension HTTPClient.Method {
    fileprivate init(_ method: Request.Method) {
        self =
            switch method {
            case .get: .get
            case .put: .put
            case .post: .post
            case .delete: .delete
            }
    }
}
