import Control
import FoundationEssentials
import Media
import MediaFacts
import PhotoModel
import PhotoStore

/// `dates/repair`: wall clocks without a zone get the one that is proven.
extension LibraryService {
    /// So many are one change at most, for it is one line of the journal.
    private static let mostAtOnce = 1000

    /// In a dry run nothing is changed.
    func repairDates(_ request: DateRepairRequest, by peer: Peer) async throws -> DateRepairResult {
        let album = try await albumNamed(request.album)
        let roll = try await zoneRoll(of: album)
        let proofs = zoneProofs(of: roll.map(\.zoneCase))
        let proven = roll.filter { proofs[$0.asset] != nil }
        let rows = proven.prefix(Self.mostAtOnce).compactMap { one in
            proofs[one.asset].map { DateRepairRow(one.asset, name: one.name, proof: $0) }
        }
        let open = roll.count(where: { $0.zoneCase.localTime != nil })
        let result = DateRepairResult(
            rows: rows, unprovenCount: open - proven.count, isMore: proven.count > rows.count)
        guard request.isDryRun != true, !rows.isEmpty else { return result }
        return try await apply(result, origin: origin(peer))
    }

    /// What was read anew meanwhile is left out: its next repair finds it.
    private func apply(_ result: DateRepairResult, origin: String) async throws -> DateRepairResult {
        let committed = try await library.performChanges(origin: origin) { change in
            var done: [DateRepairRow] = []
            for row in result.rows {
                guard let facts = try change.catalogue.factsToAmend(of: row.localIdentifier) else { continue }
                let amended = facts.withZone(row.proof)
                guard amended.facts.zoneProof != nil else { continue }
                try change.perform(.setFacts(amended))
                done.append(row)
            }
            return done
        }
        var result = result
        (result.rows, result.token) = (committed.value, committed.token)
        return result
    }

    /// Page by page, so that no reader keeps the log from being written back.
    private func zoneRoll(of album: LocalIdentifier) async throws -> [RollEntry] {
        var (entries, cursor): ([RollEntry], Int64?) = ([], 0)
        while let after = cursor {
            let page = try await read { catalogue in
                let page = try catalogue.assets(in: album, after: after, limit: 500)
                return (try page.rows.compactMap { try RollEntry($0, in: catalogue) }, page.next)
            }
            entries += page.0
            cursor = page.1
        }
        return entries
    }
}

/// A photo of the album whose facts are known.
private struct RollEntry: Sendable {
    let asset: LocalIdentifier
    let name: PathBytes
    let zoneCase: ZoneCase

    init?(_ asset: Asset, in catalogue: Catalogue) throws {
        guard let facts = try catalogue.facts(of: asset.localIdentifier) else { return nil }
        self.asset = asset.localIdentifier
        name = asset.resources.first?.originalFilename ?? PathBytes([])
        let bare = ZoneCase(asset.localIdentifier, facts)
        guard bare.localTime != nil else {
            zoneCase = bare
            return
        }
        let readings = try asset.resources.map { try catalogue.tags(of: $0) }
        zoneCase = ZoneCase(
            asset.localIdentifier, facts, tags: readings.first ?? [:], others: Array(readings.dropFirst()))
    }
}

extension Catalogue {
    /// What the current bytes of a resource say; nothing where they were not read, and of Takeout's sidecar, which has no
    /// tags.
    fileprivate func tags(of resource: Resource) throws -> [Tag: String] {
        guard resource.type != .takeoutSidecar, let hash = resource.versions.last?.content.hash,
            let text = try reading(of: hash)?.facts
        else {
            return [:]
        }
        return try JSONDecoder().decode(FileFacts.self, from: Data(text.utf8)).tags
    }
}
