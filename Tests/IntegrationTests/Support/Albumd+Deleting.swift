import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

/// Recently Deleted, as a client asks for it.
extension Albumd {
    @discardableResult
    func delete(_ drop: Drop) throws -> TrashResult {
        try post("/v1/assets/delete", AssetsRequest(subjects: [SubjectRequest(path: PathBytes(drop.path))]))
    }

    func trash() throws -> [TrashRow] {
        let page: PageOf<TrashRow> = try get("/v1/trash", query: ["limit": "500"])
        return page.rows
    }

    @discardableResult
    func restoreAll() throws -> TrashResult { try post("/v1/trash/restore", AssetsRequest(subjects: nil, all: true)) }

    @discardableResult
    func purgeAll() throws -> TrashResult { try post("/v1/trash/purge", AssetsRequest(subjects: nil, all: true)) }

    /// The problem that a request is refused with.
    func refusal(of path: String, _ body: some Encodable) throws -> Problem {
        let reply = try client.send(.post, path, body: JSON.encode(body))
        try #require(!reply.isSuccess)
        return try JSON.decode(Problem.self, from: reply.body)
    }

    /// Whether nothing was deleted: all these are mapped to the assets that they were mapped to, and those live.
    func expectLive(
        _ drops: [Drop], _ identifiers: [LocalIdentifier], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try trash().isEmpty, sourceLocation: sourceLocation)
        #expect(try drops.map { try identifier(of: $0.path) } == identifiers, sourceLocation: sourceLocation)
        #expect(try identifiers.allSatisfy { try asset($0).state == .live }, sourceLocation: sourceLocation)
    }
}

extension TestFolder {
    /// A folder whose deletions are followed.
    static let mirrored = TestFolder(lines: ["on_source_deleted = \"trash\""])
    /// A folder whose files follow deletions of their assets.
    static let obedient = TestFolder(lines: ["on_asset_deleted = \"remove\""])
}
