import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform
import Testing

/// What a test asks over the control socket.
extension Albumd {
    func get<Answer: Decodable>(_ path: String, query: [String: String] = [:]) throws -> Answer {
        try decode(try client.send(.get, path, query: query), path)
    }

    func post<Answer: Decodable>(_ path: String, _ body: some Encodable) throws -> Answer {
        try decode(try client.send(.post, path, body: JSON.encode(body)), path)
    }

    private func decode<Answer: Decodable>(_ reply: HTTPReply, _ path: String) throws -> Answer {
        guard reply.isSuccess else {
            throw Failure("\(path) answers \(reply.status): \(String(decoding: reply.body, as: UTF8.self))")
        }
        return try JSON.decode(Answer.self, from: reply.body)
    }

    /// The barrier: everything that was done to the folders before this call has its outcome.
    @discardableResult
    func flush(within seconds: Double = 100) throws -> FlushResult {
        try post("/v1/flush", FlushRequest(timeoutSeconds: seconds))
    }

    @discardableResult
    func reconcile() throws -> PageOf<FolderRow> { try post("/v1/reconcile", FolderPathRequest(path: nil)) }

    func status() throws -> StatusReport { try get("/v1/status") }

    func pending() throws -> [PendingRow] { try all("/v1/pending") }

    func assets(in album: LocalIdentifier? = nil) throws -> [AssetRow] {
        try all("/v1/assets", query: album.map { ["album": $0.uuid.uuidString] } ?? [:])
    }

    func albums() throws -> [AlbumRow] { try all("/v1/albums") }

    func album(_ title: String) throws -> AlbumRow {
        let titled = try albums().filter { $0.title == title }
        return try #require(titled.count == 1 ? titled[0] : nil, "\(titled.count) albums are called \(title)")
    }

    private func all<Row>(_ path: String, query: [String: String] = [:]) throws -> [Row]
    where Row: Codable & Sendable & Equatable {
        var rows: [Row] = []
        var cursor: Int64? = 0
        while let after = cursor {
            let paging = ["after": String(after), "limit": "500"]
            let page: PageOf<Row> = try get(path, query: query.merging(paging) { _, new in new })
            rows += page.rows
            cursor = page.next
        }
        return rows
    }

    func why(_ path: String) throws -> WhyReport { try post("/v1/why", SubjectRequest(path: PathBytes(path))) }

    /// The mapping of a source, nil where it has none.
    func mapping(_ path: PathBytes) throws -> MappingRow? {
        let result: MappingResult = try post("/v1/mappings", SubjectRequest(path: path))
        try #require(result.rows.count < 2, "\(path) has \(result.rows.count) mappings")
        return result.rows.first
    }

    func mapping(_ path: String) throws -> MappingRow? { try mapping(PathBytes(path)) }

    /// The identifier that a source is mapped to; throws where it has none, and says why.
    func identifier(of path: String) throws -> LocalIdentifier {
        guard let identifier = try mapping(path)?.localIdentifier else {
            throw Failure("\(path) is not mapped: \(try why(path).summary)")
        }
        return identifier
    }

    func asset(_ identifier: LocalIdentifier) throws -> AssetRow { try get("/v1/assets/\(identifier.uuid)") }

    func original(_ identifier: LocalIdentifier) throws -> [UInt8] {
        let reply = try client.send(.get, "/v1/assets/\(identifier.uuid)/original")
        guard reply.isSuccess else { throw Failure("the original of \(identifier) answers \(reply.status)") }
        return reply.body
    }
}
