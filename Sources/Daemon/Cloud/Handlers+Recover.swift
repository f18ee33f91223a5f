import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// Photos made of what lies in the cloud without one: where changes are lost, their originals are not.
extension LibraryService {
    func recoverOriginals(_ request: RecoveryRequest, by peer: Peer) throws -> Response {
        let cloud = try requireCloud()
        let work = RecoveryWork(
            service: self, cloud: cloud, isDryRun: request.isDryRun == true, origin: origin(peer))
        cloud.pool.add { work.run() }
        return Response(status: 200, contentType: "application/x-ndjson", body: .stream(work.channel.stream))
    }
}

/// Each original that nothing names is fetched, proven, and saved as any other file is.
private struct RecoveryWork: Sendable {
    /// As Photos calls what a repair brings back.
    private static let album = "Recovered"

    let service: LibraryService
    let cloud: CloudService
    let isDryRun: Bool
    let origin: String
    let channel = LineChannel()

    /// Blocks until all is done, or nobody reads any more.
    func run() {
        defer { channel.finish() }
        let tier = cloud.impatient
        var counts: [String: Int] = [:]
        do {
            try believe(tier)
            try tier.unclaimed(cloud.isUnclaimed) { original in
                let row = isDryRun ? CloudRow(original, .wouldRecover) : recover(original, tier)
                counts[row.outcome?.rawValue ?? "failed", default: 0] += 1
                return channel.send(JSON.line(CloudLine.row(row))) && cloud.goesOn()
            }
            guard !channel.hasGone, cloud.goesOn() else { return }
            try cloud.countUnclaimed(through: tier)
            if !isDryRun { cloud.keepHistory(through: tier.store) }
            cloud.wake()
            channel.send(JSON.line(CloudLine.end(counts)))
        } catch {
            channel.send(JSON.line(["error": service.problem((error as? TierError).map(problem) ?? error)]))
        }
    }

    private func believe(_ tier: CloudTier) throws {
        try cloud.requireBelief(in: tier.store)
        try tier.requireOurs()
    }

    private func recover(_ original: CloudTier.UnclaimedOriginal, _ tier: CloudTier) -> CloudRow {
        var row = CloudRow(original, .failed)
        do {
            let staged = try tier.bytes(of: original) { _ in !channel.hasGone }
            defer { staged.discard() }
            let upload = Uploads.Upload(
                hash: original.hash, byteCount: original.byteCount, staged: staged, arrived: service.machine.uptime())
            var request = SaveRequest(upload: service.machine.makeUUID())
            request.album = Self.album
            let saved = try service.saveNow(upload, request, origin: origin, takesAnything: true)
            (row.outcome, row.localIdentifier) = (.recovered, saved.localIdentifier)
            (row.originalFilename, row.originalFilenameBase64) = (saved.originalFilename, saved.originalFilenameBase64)
        } catch let error as TierError {
            let problem = problem(error)
            (row.detail, row.fix) = (problem.detail, problem.fix)
        } catch {
            let problem = service.problem(error)
            (row.detail, row.fix) = (problem.detail, problem.fix)
        }
        return row
    }

    private func problem(_ error: TierError) -> Problem {
        switch error {
        case .notOurs(let cause): .unavailable("\(error)", fix: cause.fix)
        case .noRoom:
            .unavailable(
                "\(error)", fix: "free some space on the library's disk, then albumctl cloud recover, which goes on")
        case .cloudBytes:
            .unavailable("\(error)", fix: "put the object back from a copy of the cloud, then albumctl cloud recover")
        default: .unavailable("\(error)", fix: "albumctl cloud status, then albumctl cloud recover, which goes on")
        }
    }
}

extension CloudRow {
    fileprivate init(_ original: CloudTier.UnclaimedOriginal, _ outcome: Outcome) {
        self.init(sha256: original.hash, byteCount: original.byteCount)
        self.outcome = outcome
    }
}
