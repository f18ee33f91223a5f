import Cloud
import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// Where originals are, and what the rules would do about it.
extension LibraryService {
    /// The tier, where there is one.
    func requireCloud() throws(Problem) -> CloudService {
        guard let cloud else {
            if let problem = cloudFailure?.problem { throw .unavailable(problem.what, fix: problem.fix) }
            throw .conflict(
                "noCloud", "there is no cloud: the configuration says engine = \"none\"",
                fix:
                    "put the [cloud] of before back into the configuration, or engine = \"simulator\" where there was none, "
                    + "then restart albumd")
        }
        return cloud
    }

    /// Those whose copies the cloud denied once.
    var doubtedOriginals: Set<ContentHash> { Set(cloud?.tier.doubtedOriginals ?? []) }

    /// The originals of each asset, judged on every resource; the store is not asked.
    func tier(_ request: TierRequest) async throws -> PageOf<TierRow> {
        guard request.localIdentifiers.count <= 1000 else {
            throw Problem.badRequest("at most 1,000 identifiers can be asked for at once")
        }
        var seen: Set<LocalIdentifier> = []
        let identifiers = request.localIdentifiers.filter { seen.insert($0).inserted }
        return try await read { catalogue in
            let doubted = self.doubtedOriginals
            let rows = try identifiers.map { identifier in
                let asset = try self.existingAsset(identifier, in: catalogue)
                let pin = try self.pin(of: identifier, in: catalogue)
                return TierRow(asset, isPinned: pin.isPinned, until: pin.until, doubted: doubted)
            }
            return PageOf(rows: rows, next: nil)
        }
    }

    /// Where everything is; with `isSettled`, when what the rules want has been done, or cannot be.
    func cloudStatus(isSettled: Bool = false) async throws -> CloudReport {
        if isSettled, let cloud { try await cloud.pool.run { cloud.settle() } }
        return try await read { catalogue in
            self.cloud?.lookAtPlace()
            return try catalogue.reading {
                var report = try self.cloudReport(in: catalogue)
                report.rules = try catalogue.albumsWithTier().map { AlbumRow($0) }
                return report
            }
        }
    }

    /// Without the rules of albums: they count what is in them.
    func cloudReport(in catalogue: Catalogue) throws -> CloudReport {
        var report = CloudReport(engine: cloud == nil && cloudFailure == nil ? "none" : "simulated")
        let transfers = try catalogue.transfers()
        report.residencies = try residencies(in: catalogue)
        report.transfers = Dictionary(
            transfers.compactMap { $0.transfer }.map { ($0.rawValue, 1) }, uniquingKeysWith: +)
        (report.lostCount, report.purgedObjectCount) = (try catalogue.lostCount(), try catalogue.objectWorkCount())
        let pinned = try catalogue.pinnedCount(at: machine.now())
        report.pinned = CountAndBytes(count: pinned.count, byteCount: pinned.byteCount)
        guard let cloud else {
            report.directory = cloudFailure.map { printable($0.directory) }
            report.tell(
                cloudFailure?.problem ?? StatusProblem(withoutCloud: report.residencies["inCloud"]?.count ?? 0))
            return report
        }
        let state = cloud.state.update { $0 }
        report.directory = printable(cloud.directory)
        report.unclaimedCount = try cloud.unclaimed.count(in: catalogue)
        report.isOnLibraryDisk = cloud.isOnLibraryDisk
        report.doubtCount = cloud.tier.doubtCount
        report.doubtDate = cloud.tier.doubtWait().map {
            machine.now().addingTimeInterval(Double($0.components.seconds))
        }
        report.newestToken = library.feed.newest
        (report.mirroredToken, report.lastRound) = (state.isStoreKnown ? state.mirroredToken : nil, state.lastRound)
        report.isStoreOthers = !state.isStoreKnown && (state.mirrorFailure as? MirrorError)?.isOthers == true
        report.tell(cloud.standstill)
        report.failures = try state.round.failures.prefix(20).map { hash, why in
            let asset = try catalogue.assetHaving(hash).flatMap { try catalogue.asset($0) }
            return CloudFailure(sha256: hash, detail: why, of: asset)
        }
        report.simulation = Simulation(cloud.store.faults)
        return report
    }

    /// What should be on the disk and is not is `missing`, and what is lost nowhere: not where its row says.
    private func residencies(in catalogue: Catalogue) throws -> [String: CountAndBytes] {
        var missing = try catalogue.missingCounts()
        let lost = missing.removeValue(forKey: .inCloud)
        var report: [String: CountAndBytes] = [:]
        for (residency, sum) in try catalogue.residencyCounts() {
            let less = (residency == .inCloud ? lost : missing[residency]) ?? (count: 0, byteCount: 0)
            guard sum.count > less.count else { continue }
            report[residency.rawValue] = CountAndBytes(
                count: sum.count - less.count, byteCount: sum.byteCount - less.byteCount)
        }
        if !missing.isEmpty {
            report["missing"] = CountAndBytes(
                count: missing.values.reduce(0) { $0 + $1.count },
                byteCount: missing.values.reduce(0) { $0 + $1.byteCount })
        }
        return report
    }

    /// Without a cloud nothing could come back: then it is refused, and only a pin's end is not.
    func pin(_ request: PinRequest, by peer: Peer) async throws -> TokenResult {
        if request.isPinned { _ = try requireCloud() }
        let committed = try await library.performChanges(origin: origin(peer)) { change in
            let wanted = AssetsRequest(subjects: request.subjects)
            for asset in try self.assets(of: wanted, in: change.catalogue) {
                try change.perform(
                    .setPin(
                        PinChange(
                            localIdentifier: asset.localIdentifier, isPinned: request.isPinned,
                            until: request.isPinned ? request.until : nil)))
            }
        }
        cloud?.wake()
        return TokenResult(token: committed.token)
    }

    func setAlbumTier(_ request: AlbumTierRequest, by peer: Peer) async throws -> TokenResult {
        let album = try await albumNamed(request.album)
        let committed = try await library.performChanges(origin: origin(peer)) { change in
            try change.perform(.setAlbumTier(AlbumTierChange(album: album, tier: request.tier)))
        }
        cloud?.wake()
        return TokenResult(token: committed.token)
    }
}

extension CloudFailure {
    fileprivate init(sha256: ContentHash, detail: String, of asset: Asset?) {
        self.init(sha256: sha256, detail: detail)
        let name = asset.map { Name($0.filename(of: sha256)) }
        (localIdentifier, originalFilename) = (asset?.localIdentifier, name?.text)
        originalFilenameBase64 = name?.base64
    }
}

extension CloudReport {
    /// Why nothing moves, and what to do.
    fileprivate mutating func tell(_ standstill: StatusProblem?) {
        (failure, failureFix) = (standstill?.what, standstill?.fix)
    }
}
