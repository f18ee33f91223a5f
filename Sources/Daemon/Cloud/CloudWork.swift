import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// What a client asked to be done with originals, one after the other, on a thread of its own.
struct CloudWork: Sendable {
    enum Verb: Sendable {
        case evict
        case fetch
        case verify
        case drill
    }

    let service: LibraryService
    let cloud: CloudService
    let verb: Verb
    let isDryRun: Bool
    let channel = LineChannel()
    /// Whether what the store has of the library itself is read, too.
    private let includesHistory: Bool
    private let tier: CloudTier

    init(service: LibraryService, cloud: CloudService, verb: Verb, _ request: CloudRequest) {
        (self.service, self.cloud, self.verb, isDryRun) = (service, cloud, verb, request.isDryRun == true)
        includesHistory = request.all == true && (verb == .verify || verb == .drill && !isDryRun)
        tier = cloud.impatient
    }

    /// Blocks until all is done, or nobody reads any more.
    func run(_ hashes: [ContentHash]) {
        defer { channel.finish() }
        var counts: [String: Int] = [:]
        do {
            if includesHistory { checkHistory() }
            let (disbelief, takers) = (disbelief(), takers(of: hashes))
            for hash in hashes {
                guard var row = try begin(hash) else { continue }
                finish(&row, disbelief)
                row.explainReturn(takers[hash])
                counts[row.outcome?.rawValue ?? "failed", default: 0] += 1
                guard channel.send(JSON.line(CloudLine.row(row))), cloud.goesOn() else { return }
            }
            // What has moved is in the history, and that in the store, before anybody hears that it is done.
            if !isDryRun { cloud.keepHistory(through: tier.store) }
            channel.send(JSON.line(CloudLine.end(counts)))
        } catch {
            channel.send(JSON.line(["error": service.problem(error)]))
        }
    }

    /// A line for each object; what keeps it from being read is told as one, too, and stops no original.
    private func checkHistory() {
        do {
            try cloud.requireStore(through: tier.store)
            try cloud.checkMirror(through: tier.store) { channel.send(JSON.line(CloudLine.row(CloudRow($0)))) }
        } catch {
            var row = CloudRow(sha256: nil, byteCount: 0)
            (row.object, row.outcome) = ("library/changes", .failed)
            row.detail = "the history could not be read: \(error)"
            row.fix = fixOfHistory(error) ?? "albumctl cloud status, then try again"
            channel.send(JSON.line(CloudLine.row(row)))
        }
    }

    /// Why the store proves nothing, where that is what is asked of it; a dry run asks whether it takes anything.
    private func disbelief() -> TierError? {
        let isAsked = (verb == .evict || verb == .fetch) == isDryRun
        guard isAsked else { return nil }
        do throws(TierError) {
            try cloud.requireBelief(in: tier.store)
            if isDryRun { try tier.requireOurs() }
            return nil
        } catch {
            return error
        }
    }

    /// Which rules take back what is fetched.
    private func takers(of hashes: [ContentHash]) -> [ContentHash: CloudPlan.Reason] {
        // Nothing leaves to a store that is not known to be the library's.
        guard verb == .fetch, cloud.state.update({ $0.isStoreKnown }) else { return [:] }
        // Where the plan cannot be made, the fetch says less.
        return (try? tier.reasonsToLeave(after: Set(hashes), cloud.policy())) ?? [:]
    }

    /// Nil for what was purged meanwhile.
    private func begin(_ hash: ContentHash) throws -> CloudRow? {
        try service.readers.readNow { catalogue in
            guard let content = try catalogue.version(of: hash)?.content else { return nil }
            var row = CloudRow(sha256: hash, byteCount: content.byteCount)
            let original = try catalogue.nameOfOriginal(hash)
            row.localIdentifier = original?.asset
            row.version = original.flatMap { versionName($0.ordinal, of: $0.count) }
            let name = original.map { Name($0.filename) }
            (row.originalFilename, row.originalFilenameBase64) = (name?.text, name?.base64)
            return row
        }
    }

    private func finish(_ row: inout CloudRow, _ disbelief: TierError?) {
        do {
            guard let hash = row.sha256, let version = try service.readers.readNow({ try $0.version(of: hash) }) else {
                throw TierError.unknown
            }
            if let disbelief, verb == .verify || verb == .drill, version.residency != .local { throw disbelief }
            row.outcome = try believing { try perform(version, row, disbelief) }
            if [.evicted, .fetched, .proven].contains(row.outcome) { cloud.noteAnswer() }
            row.explainDoubt(row.sha256.flatMap { tier.doubtWait(of: $0) } ?? .zero)
        } catch let error as TierError {
            cloud.note(error)
            row.explain(
                error, heldBy: holder(of: row, error), keptBy: keepers(of: row, error),
                row.sha256.flatMap { tier.doubtWait(of: $0) })
            tellOfUpload(&row)
        } catch {
            let problem = service.problem(error)
            (row.outcome, row.detail, row.fix) = (.failed, problem.detail, problem.fix)
        }
    }

    /// What an eviction that failed left begun goes on: the store may have the bytes already, and then the library has to
    /// know of them.
    private func tellOfUpload(_ row: inout CloudRow) {
        guard verb == .evict, row.outcome == .failed, let hash = row.sha256,
            let transfer = try? service.readers.readNow({ try $0.version(of: hash)?.transfer }),
            transfer == .uploading || transfer == .verifying
        else { return }
        row.detail = (row.detail ?? "") + "; it stays here, and albumd tries by itself to bring a copy to the cloud"
    }

    /// The asset that is pinned, of several that have these bytes, where that is why it was refused.
    private func holder(of row: CloudRow, _ error: TierError) -> LocalIdentifier? {
        guard case .refused(.pinned) = error, let hash = row.sha256 else { return row.localIdentifier }
        let now = service.machine.now()
        let pinned = try? service.readers.readNow { catalogue in
            try catalogue.assetsHaving(hash).map(\.asset).first { try catalogue.isPinned($0, at: now) }
        }
        return pinned ?? row.localIdentifier
    }

    /// The albums that keep it here, where that is why it was refused, as words of a command.
    private func keepers(of row: CloudRow, _ error: TierError) -> [String] {
        guard case .refused(.keptByAlbum) = error, let hash = row.sha256 else { return [] }
        // Where it cannot be read, the advice names no album.
        return
            (try? service.readers.readNow { catalogue in
                try catalogue.albumsKeeping(hash).map { try catalogue.operand(of: $0) }
            }) ?? []
    }

    /// Once more where the store is this library's after all: its identity rotted, and is written again.
    private func believing(_ body: () throws -> CloudRow.Outcome) throws -> CloudRow.Outcome {
        do {
            return try body()
        } catch TierError.notOurs(let error) {
            guard cloud.isKnownAgain(through: tier.store) else { throw TierError.notOurs(error) }
            return try body()
        }
    }

    private func perform(_ version: Version, _ row: CloudRow, _ disbelief: TierError?) throws -> CloudRow.Outcome {
        let content = version.content
        if version.isLost, verb == .fetch || verb == .drill { throw TierError.lost }
        switch verb {
        case .evict:
            if version.residency == .inCloud { return .unchanged }
            if let refusal = try tier.refusalToEvict(content) { throw TierError.refused(refusal) }
            if let disbelief { throw disbelief }
            if isDryRun {
                if version.residency == .local { try requireRoomInCloud() }
                return .wouldEvict
            }
            try cloud.requireStore(through: tier.store)
            try evictOnceUnused(content)
            return .evicted
        case .fetch:
            guard version.residency == .inCloud || version.isMendedByFetch else { return .unchanged }
            if let disbelief { throw disbelief }
            if isDryRun {
                guard tier.doubtWait(of: content.hash) == nil else {
                    throw TierError.store(ObjectStoreError(.notFound, "the cloud denied it once"))
                }
                return .wouldFetch
            }
            try tier.fetch(content, requestedBy: .person, progress: progress(row))
            // It was asked for: others leave first. Where that cannot be written, only the order is not as well known.
            try? tier.library.onThread { try $0.noteUse(of: [content.hash]) }
            return .fetched
        case .verify:
            guard version.residency != .local else { return .unchanged }
            return CloudRow.Outcome(try tier.check(content))
        case .drill:
            guard version.residency != .local else { return .unchanged }
            if isDryRun { return .wouldRestore }
            try tier.drill(content, progress: progress(row))
            return .restored
        }
    }

    /// A short look at it by somebody else, `safe` or a thumbnail, is waited for: for some seconds.
    private func evictOnceUnused(_ content: Content) throws {
        var wait = Duration.milliseconds(50)
        while true {
            do {
                return try tier.evict(content, requestedBy: .person)
            } catch TierError.refused(.inUse) where wait < .seconds(4) {
                guard cloud.state.goesOn(for: wait) else { throw TierError.cancelled }
                wait *= 2
            }
        }
    }

    /// As far as the last round knows.
    private func requireRoomInCloud() throws {
        guard case .store(let error)? = cloud.state.update({ $0.round.obstacle }), error.kind == .quotaExceeded else {
            return
        }
        throw TierError.store(error)
    }

    /// Tells each hundredth of it, and at least a MiB; false ends the download.
    private func progress(_ row: CloudRow) -> (Int64) -> Bool {
        let step = max(1 << 20, row.byteCount / 100)
        var told: Int64 = 0
        return { [channel] received in
            guard received - told >= step else { return !channel.hasGone }
            told = received
            var line = row
            line.receivedByteCount = received
            return channel.send(JSON.line(CloudLine.row(line)))
        }
    }
}
