import Control
import FoundationEssentials
import PhotoModel

/// The values of the cloud.
var cloudSamples: [SchemaSample] {
    let date = Date(microseconds: 0)
    let identifier = LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    guard let digest = ContentHash(bytes: [UInt8](repeating: 7, count: 32)) else { return [] }
    let none = CountAndBytes(count: 0, byteCount: 0)
    var report = CloudReport(engine: "simulated")
    (report.directory, report.lastRound, report.failure, report.mirroredToken) = ("/c", date, "f", 1)
    report.newestToken = 1
    (report.failureFix, report.simulation) = ("x", Simulation())
    let album = Album(localIdentifier: identifier, title: PathBytes("a"), createdDate: date, count: 1, tier: .inCloud)
    report.rules = [AlbumRow(album)]
    let spoilt = SpoiltObjects(lostCount: 1, corruptedCount: 1, absentCount: 1)
    (report.doubtDate, report.spoiltObjects) = (date, spoilt)
    var move = CloudMoveRow(.upload, reason: "pinned", sha256: digest, byteCount: 1)
    (move.localIdentifier, move.originalFilename, move.originalFilenameBase64) = (identifier, "n", "YQ==")
    (move.isAfterUpload, move.version) = (true, "original")
    var row = CloudRow(sha256: digest, byteCount: 1)
    (row.localIdentifier, row.outcome, row.receivedByteCount) = (identifier, .failed, 1)
    (row.originalFilename, row.originalFilenameBase64) = ("n", "YQ==")
    (row.reason, row.detail, row.fix, row.object) = ("r", "d", "f", "o")
    row.version = "2"
    let versions = tierRow(digest).versions
    return [
        SchemaSample("CloudReport", full: report, bare: CloudReport(engine: "none")),
        SchemaSample(
            "CloudStatus", full: CloudStatus(report), bare: CloudStatus(CloudReport(engine: "none"))),
        SchemaSample("CountAndBytes", full: none), SchemaSample("SpoiltObjects", full: spoilt),
        SchemaSample(
            "CloudFailure", full: wholeFailure(digest, identifier), bare: CloudFailure(sha256: digest, detail: "d")),
        SchemaSample("Simulation", full: wholeSimulation(identifier), bare: Simulation()),
        SchemaSample(
            "CloudPlanReport", full: wholePlan(none),
            bare: CloudPlanReport(rows: [], uploads: none, evictions: none, fetches: none)),
        SchemaSample(
            "CloudMoveRow", full: move,
            bare: CloudMoveRow(.upload, reason: "pinned", sha256: digest, byteCount: 1)),
        SchemaSample(
            "RecoveryRequest", full: RecoveryRequest(isDryRun: true), bare: RecoveryRequest(isDryRun: nil)),
        SchemaSample(
            "AdoptionRequest", full: AdoptionRequest(isDryRun: true), bare: emptyAdoption),
        SchemaSample("AdoptionReport", full: AdoptionReport(directory: "/c", copies: none, alone: none)),
        SchemaSample("TierRequest", full: TierRequest(localIdentifiers: [])),
        SchemaSample("TierPage", full: PageOf<TierRow>(rows: [], next: 1), bare: PageOf<TierRow>(rows: [], next: nil)),
        SchemaSample("TierRow", full: tierRow(digest, PathBytes([0xFF]), .uploading, date), bare: tierRow(digest)),
    ]
        + versions.map { bare in
            var full = bare
            (full.version, full.isDoubted) = ("original", true)
            return SchemaSample("TierVersion", full: full, bare: bare)
        } + [
            SchemaSample(
                "CloudRequest",
                full: CloudRequest(subjects: [], all: true, isDryRun: true, sample: 1, sha256: [digest]),
                bare: CloudRequest()),
            SchemaSample("CloudRow", full: row, bare: CloudRow(sha256: nil, byteCount: 1)),
            SchemaSample(
                "PinRequest", full: PinRequest(subjects: [], isPinned: true, until: date),
                bare: PinRequest(subjects: [], isPinned: true)),
            SchemaSample(
                "AlbumTierRequest", full: AlbumTierRequest(album: "a", tier: .inCloud),
                bare: AlbumTierRequest(album: "a", tier: nil)),
            SchemaSample("TokenResult", full: TokenResult(token: 1), bare: TokenResult(token: nil)),
        ]
}

private func wholeSimulation(_ identifier: LocalIdentifier) -> Simulation {
    var whole = Simulation()
    (whole.isOffline, whole.latencyMilliseconds, whole.bytesPerSecond, whole.quotaByteCount) = (true, 1, 1, 1)
    (whole.errorRate, whole.throttleRate, whole.breakRate) = (0.5, 0.5, 0.5)
    (whole.lieRate, whole.truncateRate, whole.corruptRate) = (0.5, 0.5, 0.5)
    (whole.outageEveryMilliseconds, whole.outageForMilliseconds, whole.listDelayMilliseconds) = (1, 1, 1)
    (whole.reset, whole.lose, whole.corrupt) = (true, [identifier], [identifier])
    return whole
}

private func tierRow(
    _ hash: ContentHash, _ name: PathBytes = PathBytes("a"), _ transfer: Transfer? = nil, _ until: Date? = nil
) -> TierRow {
    let date = Date(microseconds: 0)
    let content = Content(hash: hash, byteCount: 1, contentType: "image/jpeg", fileExtension: "jpg")
    let version = Version(
        content: content, addedDate: date, residency: .local, condition: .sound, transfer: transfer)
    let asset = Asset(
        localIdentifier: LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        mediaType: .image, creationDate: date, creationDateSource: .given, addedDate: date, modificationDate: date,
        state: .live, resources: [Resource(type: .photo, originalFilename: name, versions: [version])])
    return TierRow(asset, isPinned: until != nil, until: until, doubted: [])
}

private func wholePlan(_ none: CountAndBytes) -> CloudPlanReport {
    var plan = CloudPlanReport(rows: [], uploads: none, evictions: none, fetches: none)
    plan.obstacle = StatusProblem(what: "w", fix: "f")
    return plan
}

private var emptyAdoption: AdoptionRequest {
    var request = AdoptionRequest(isDryRun: true)
    request.isDryRun = nil
    return request
}

private func wholeFailure(_ digest: ContentHash, _ identifier: LocalIdentifier) -> CloudFailure {
    var whole = CloudFailure(sha256: digest, detail: "d")
    (whole.localIdentifier, whole.originalFilename, whole.originalFilenameBase64) = (identifier, "a.jpg", "YQ==")
    return whole
}
