import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// `evict`, `fetch`, `verify` and `drill`: NDJSON, a line for each original, and lines on the way of a download.
extension LibraryService {
    func moveOriginals(_ verb: CloudWork.Verb, _ request: CloudRequest) async throws -> Response {
        let cloud = try requireCloud()
        let hashes = try await originals(of: request, verb)
        let work = CloudWork(service: self, cloud: cloud, verb: verb, request)
        cloud.pool.add { work.run(hashes) }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(work.channel.stream))
    }

    /// The originals meant, each once: of all assets that are there, or of those named.
    private func originals(of request: CloudRequest, _ verb: CloudWork.Verb) async throws -> [ContentHash] {
        let now = machine.now()
        let hashes = try await read { catalogue in
            guard request.all == true else {
                return try self.assets(of: AssetsRequest(subjects: request.subjects), in: catalogue)
                    .flatMap(\.contents).map(\.hash)
            }
            return try catalogue.tierFacts(at: now).filter { verb.concerns($0) }.map(\.hash)
        }
        var seen: Set<ContentHash> = []
        let unique = hashes.filter { request.sha256?.contains($0) != false && seen.insert($0).inserted }
        guard let sample = request.sample, sample < unique.count else { return unique }
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: machine.uptime().components.attoseconds))
        return Array(unique.shuffled(using: &random).prefix(max(0, sample)))
    }

    /// Brings an original of the cloud back before it is sent, or says what would; `word` is the version as it was asked for.
    func bring(
        _ version: Version, _ word: String?, of identifier: LocalIdentifier, allowsNetwork: Bool
    ) async throws -> Version {
        // What is damaged or missing here is as well brought from its copy.
        guard version.residency == .inCloud || version.isMendedByFetch && allowsNetwork else { return version }
        guard allowsNetwork else {
            throw Problem(
                "networkAccessRequired", title: "The original is in the cloud", status: 409,
                detail: "the original of \(identifier) is not on this disk, and fetching it was not allowed",
                code: Problem.networkAccessRequired, fix: fixWithNetwork(identifier, version: word), exitCode: 5)
        }
        let (cloud, content) = (try requireCloud(), version.content)
        do {
            try await cloud.pool.run { try cloud.impatient.fetch(content, requestedBy: .person) }
        } catch let error as TierError {
            throw Self.problem(error, of: identifier, wait: cloud.tier.doubtWait(of: content.hash))
        }
        guard let now = try await read({ try $0.version(of: content.hash) }) else {
            throw LibraryError.noSuchAsset(identifier)
        }
        return now
    }

    /// The same version again, with leave.
    private func fixWithNetwork(_ identifier: LocalIdentifier, version word: String?) -> String {
        switch word {
        case nil, "current": "albumctl original \(identifier) --allow-network -o FILE"
        case "original": "albumctl original \(identifier) --version original --allow-network -o FILE"
        // One between the two has no name that albumctl knows.
        default: "albumctl cloud fetch \(identifier), then ask again; or ask with allowNetwork=true"
        }
    }

    /// The bytes of the copy in the cloud, proven first: for a drill, which is to change nothing.
    func copyInCloud(of identifier: LocalIdentifier, version word: String?) async throws -> Response {
        let (cloud, version) = (try requireCloud(), try await version(word, of: identifier))
        let content = version.content
        guard version.residency != .local else {
            throw Problem.conflict(
                "noCopy", "the original of \(identifier) is here alone", fix: "albumctl cloud plan says what will move")
        }
        do {
            let copy = try await cloud.pool.run {
                let tier = cloud.impatient
                try cloud.requireStore(through: tier.store)
                return try tier.copy(of: content)
            }
            return Response(
                status: 200, contentType: content.contentType,
                headers: [("X-Content-SHA256", content.hash.hexadecimal), ("Content-Disposition", "attachment")],
                body: .file(descriptor: copy.surrender(), byteCount: content.byteCount))
        } catch let error as TierError {
            throw Self.problem(error, of: identifier, wait: cloud.tier.doubtWait(of: content.hash))
        }
    }

    private static func problem(_ error: TierError, of identifier: LocalIdentifier, wait: Duration?) -> Problem {
        switch error {
        case .lost, .unknown:
            Problem(
                "missingResource", title: "The original is lost", status: 410,
                detail: "\(identifier): \(error)", code: 3303,
                fix: lostOriginalFix)
        case .notOurs(let cause):
            Problem(
                "networkError", title: "The cloud is not this library's", status: 502,
                detail: "\(identifier): \(error)", code: 3169, fix: cause.fix)
        case .store(let cause) where cause.kind != .notFound:
            Problem(
                "networkError", title: "The cloud does not answer", status: 503, detail: "\(identifier): \(error)",
                code: 3169, fix: "albumctl cloud status, then try again")
        default:
            Problem(
                "networkError", title: "The original could not be fetched", status: 502,
                detail: "\(identifier): \(error)", code: 3169, fix: fixOfCopy(of: identifier, wait: wait))
        }
    }
}

extension CloudWork.Verb {
    fileprivate func concerns(_ original: TierFacts) -> Bool {
        switch self {
        case .evict: original.wants != .nothing && original.residency != .inCloud
        case .fetch: original.residency == .inCloud
        case .verify, .drill: original.residency != .local
        }
    }
}
