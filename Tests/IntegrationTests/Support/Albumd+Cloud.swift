import Control
import FoundationEssentials
import HTTPClient
import PhotoModel
import Platform
import TestSupport
import Testing

/// What a test asks of the cloud.
extension Albumd {
    /// The lines that ended an original, and what the end counts.
    @discardableResult
    func cloud(_ verb: String, _ request: CloudRequest) throws -> (rows: [CloudRow], counts: [String: Int]) {
        let reply = try client.send(.post, "/v1/cloud/\(verb)", body: JSON.encode(request))
        var rows: [CloudRow] = []
        for line in reply.body.split(separator: UInt8(ascii: "\n")) {
            switch try JSON.decode(CloudLine.self, from: Array(line)) {
            case .row(let row): if row.outcome != nil { rows.append(row) }
            case .end(let counts): return (rows, counts)
            case .error(let problem): throw problem
            }
        }
        throw Failure("\(verb) ended too early: \(String(decoding: reply.body, as: UTF8.self))")
    }

    @discardableResult
    func evictAll() throws -> [String: Int] { try cloud("evict", CloudRequest(all: true)).counts }

    @discardableResult
    func fetchAll() throws -> [String: Int] { try cloud("fetch", CloudRequest(all: true)).counts }

    @discardableResult
    func simulate(_ change: (inout Simulation) -> Void) throws -> CloudReport {
        var simulation = Simulation()
        change(&simulation)
        return try post("/v1/cloud/simulate", simulation)
    }

    func cloudStatus() throws -> CloudReport { try get("/v1/cloud") }

    /// When what the rules want has been done.
    func settledCloud() throws -> CloudReport { try get("/v1/cloud", query: ["settled": "true"]) }

    func subject(_ drop: Drop) -> SubjectRequest { SubjectRequest(path: PathBytes(drop.path)) }

    /// The original, fetched where that is needed.
    func fetched(_ identifier: LocalIdentifier) throws -> [UInt8] {
        let path = "/v1/assets/\(identifier.uuid)/original"
        let reply = try client.send(.get, path, query: ["allowNetwork": "true"])
        guard reply.isSuccess else { throw Failure("\(path) answers \(reply.status)") }
        return reply.body
    }

    func residencies() throws -> Set<Residency> {
        Set(try assets().flatMap(\.resources).flatMap(\.versions).map(\.residency))
    }
}

extension Albumd {
    /// Does something while the store misbehaves, and ends that.
    func under(_ fault: CloudFault, _ body: () throws -> Void) throws {
        try simulate(fault.set)
        try body()
        try simulate { $0.reset = true }
    }

    /// Killed, and back.
    func crashAndStart() throws {
        try kill()
        #expect(try start() == nil)
    }

    /// The files in staging.
    func stagedCount() throws -> Int {
        let found = try run(["find", installation.library + "/staging", "-type", "f"], in: scratch)
        return found.output.split(separator: "\n").count
    }

    /// Every file is an asset with these very bytes, wherever they are.
    func expectWhole(_ drops: [Drop], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for drop in drops {
            #expect(try fetched(identifier(of: drop.path)) == drop.bytes, sourceLocation: sourceLocation)
        }
    }
}
