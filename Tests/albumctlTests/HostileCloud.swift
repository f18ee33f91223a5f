import Control
import FoundationEssentials
import PhotoModel

/// The commands of the cloud, and a daemon whose every word about it is `name`.
struct HostileCloud {
    let name: String

    static func commands(_ name: String) -> [[String]] {
        let asset = "\(Sample.identifier)"
        return [
            ["cloud", "status"], ["cloud", "plan"], ["cloud", "evict", asset], ["cloud", "fetch", "--path", name],
            ["cloud", "verify"], ["cloud", "drill"], ["cloud", "pin", "--path", name], ["cloud", "unpin", asset],
            ["cloud", "rule", name, "--none"], ["cloud", "rule", name], ["cloud", "simulate", "--offline"],
            ["asset", "tier", asset], ["cloud", "adopt"],
        ]
    }

    /// Nil for what is not the cloud's.
    func answer(to operation: Operation) -> Response? {
        switch operation {
        case .cloudStatus, .simulateCloud: .json(report)
        case .cloudPlan: .json(plan)
        case .evictAssets, .fetchAssets, .verifyCloud, .drillCloud:
            .lines([JSON.line(row(nil)), JSON.line(row(.failed)), JSON.line(["end": [name: 1]])])
        case .adoptStore:
            .json(
                AdoptionReport(
                    directory: name, copies: CountAndBytes(count: 1, byteCount: 1),
                    alone: CountAndBytes(count: 1, byteCount: 1)))
        case .pinAssets, .setAlbumTier: .json(TokenResult(token: 1))
        case .tierAssets: .json(PageOf(rows: [tier], next: nil))
        default: nil
        }
    }

    var report: CloudReport {
        var report = CloudReport(engine: name)
        (report.directory, report.failure, report.simulation) = (name, name, Simulation())
        (report.transfers, report.lostCount, report.failureFix) = ([name: 1], 1, name)
        report.residencies = [name: CountAndBytes(count: 1, byteCount: 1)]
        report.rules = [Sample.album(name)]
        report.failures = hash.map { [CloudFailure(sha256: $0, detail: name)] } ?? []
        return report
    }

    private var hash: ContentHash? { ContentHash(bytes: [UInt8](repeating: 7, count: 32)) }

    private var plan: CloudPlanReport {
        let one = CountAndBytes(count: 1, byteCount: 1)
        let rows = hash.map { hash in
            var row = CloudMoveRow(.upload, reason: name, sha256: hash, byteCount: 1)
            (row.originalFilename, row.version) = (name, name)
            return [row]
        }
        return CloudPlanReport(rows: rows ?? [], uploads: one, evictions: one, fetches: one)
    }

    private func row(_ outcome: CloudRow.Outcome?) -> CloudRow? {
        guard let hash else { return nil }
        var row = CloudRow(sha256: hash, byteCount: 1)
        (row.outcome, row.originalFilename, row.reason) = (outcome, name, name)
        (row.detail, row.fix, row.object, row.version) = (name, name, outcome.map { _ in name }, name)
        return row
    }

    private var tier: TierRow {
        let asset = Asset(
            localIdentifier: Sample.identifier, mediaType: .image, creationDate: Sample.date,
            creationDateSource: .given, addedDate: Sample.date, modificationDate: Sample.date, state: .live,
            resources: [Resource(type: .photo, originalFilename: PathBytes(name), versions: [])])
        return TierRow(asset, isPinned: false, until: nil, doubted: [])
    }
}
