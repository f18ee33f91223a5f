import Control
import FoundationEssentials
import PhotoModel

/// A value of the API with everything in it, and one with as little as can be: what both have is required.
struct SchemaSample: Sendable, CustomStringConvertible {
    let schema: String
    let properties: Set<String>
    let required: Set<String>

    var description: String { schema }

    init(_ schema: String, full: any Encodable, bare: (any Encodable)? = nil) {
        self.schema = schema
        properties = keys(of: full)
        required = keys(of: bare ?? full)
    }

    /// Where no value has as little as can be: what all of them have is required.
    init(_ schema: String, full: any Encodable, bares: [any Encodable]) {
        self.schema = schema
        properties = keys(of: full)
        required = bares.reduce(properties) { $0.intersection(keys(of: $1)) }
    }
}

private struct AnyKeys: Decodable {
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let names: Set<String>

    init(from decoder: any Decoder) throws {
        names = Set(try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue))
    }
}

/// The keys at the top of a value's JSON.
func keys(of value: any Encodable) -> Set<String> {
    do throws(Problem) {
        return try JSON.decode(AnyKeys.self, from: JSON.encode(value)).names
    } catch {
        return []
    }
}

private let date = Date(microseconds: 0)
private let identifier = LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
/// Bytes that are no text, so that every key for them shows.
private let odd = PathBytes([0x2F, 0xFF])
private let plain = PathBytes("/a")
private let digest = ContentHash(bytes: [UInt8](repeating: 7, count: 32))

private func filled<Value>(_ value: Value, _ fill: (inout Value) -> Void) -> Value {
    var value = value
    fill(&value)
    return value
}

private func asset(
    named name: PathBytes, _ trashing: Trashing? = nil, transfer: Transfer? = nil, until: Date? = nil
) -> AssetRow? {
    guard let digest else { return nil }
    let content = Content(hash: digest, byteCount: 1, contentType: "image/jpeg", fileExtension: "jpg")
    let version = Version(
        content: content, addedDate: date, residency: .local, condition: .sound, transfer: transfer)
    return AssetRow(
        Asset(
            localIdentifier: identifier, mediaType: .image, creationDate: date, creationDateSource: .modified,
            addedDate: date, modificationDate: date, state: .live, trashing: trashing,
            resources: [Resource(type: .photo, originalFilename: name, versions: [version])]),
        isPinned: until != nil, until: until)
}

private func album(titled title: PathBytes, isNew: Bool?) -> AlbumRow {
    let tier = isNew.map { _ in AlbumTier.inCloud }
    return AlbumRow(
        Album(localIdentifier: identifier, title: title, createdDate: date, count: 1, tier: tier), isNew: isNew)
}

private func folder(at path: PathBytes) -> FolderRow {
    FolderRow(
        rule: FolderRule(path: path.bytes, album: "A"), standing: "online", watching: "inotify", isFromCommand: true)
}

private let subject = filled(SubjectRequest(path: odd)) {
    $0.path = "/a"
    $0.localIdentifier = identifier
    $0.externalIdentifier = "e"
    $0.all = true
}

private let folderRequest = filled(FolderRequest(path: odd)) {
    $0.path = "/a"
    $0.album = "A"
    $0.onAlbumMissing = "hold"
    $0.albums = "tree"
    $0.mode = "copy"
    $0.settle = "1s"
    $0.watch = "auto"
    $0.poll = "1s"
    $0.ignore = []
    $0.onSourceDeleted = "keep"
    $0.onAssetDeleted = "keep"
    $0.creationDate = "mtime"
    $0.isOffline = true
}

private let mapping = filled(MappingRow(localIdentifier: identifier, state: .live)) {
    $0.path = "/a"
    $0.pathBase64 = "L2E="
    $0.folder = "F"
    $0.externalIdentifier = "e"
    $0.outcome = .imported
    $0.reason = .newContent
    $0.sha256 = digest
    $0.byteCount = 1
    $0.departedDate = date
}

private func pending(_ path: PathBytes, detail: String?, date: Date?) -> PendingRow {
    PendingRow(path: path, outcome: .pending, reason: .settling, detail: detail, since: date, retryDate: date)
}

private let waiting = filled(pending(odd, detail: "d", date: date)) { $0.localIdentifier = identifier }

private let watched = filled(folder(at: odd)) {
    $0.folder = identifier.uuid
    $0.detail = "d"
    $0.watchingDetail = "d"
    $0.lastScan = date
}

private let change = ClientChange(change: .addAssets, album: identifier, title: "t", assets: [])

private let why = filled(WhyReport(summary: "s")) {
    $0.localIdentifier = identifier
    $0.path = "/a"
    $0.pathBase64 = "L2E="
    $0.waiting = pending(odd, detail: nil, date: nil)
    $0.asset = asset(named: odd)
}

private let plan = filled(PlanRow(path: odd, mode: "copy")) {
    $0.localIdentifier = identifier
    $0.outcome = .imported
    $0.reason = .newContent
    $0.deletion = "trash"
    $0.album = "A"
    $0.detail = "d"
}

private let save = filled(SaveRequest(upload: identifier.uuid)) {
    $0.filename = "a"
    $0.filenameBase64 = "YQ=="
    $0.album = "A"
    $0.externalIdentifier = "e"
    $0.creationDate = date
    $0.context = "c"
}

private func saved(_ hash: ContentHash, _ rest: String?, _ token: Int64?) -> SaveResult {
    SaveResult(
        localIdentifier: identifier, outcome: .imported, reason: .newContent, sha256: hash,
        originalFilename: rest == nil ? plain : odd, album: rest.map { _ in identifier }, externalIdentifier: rest,
        token: token, context: rest)
}

private let status = StatusReport(
    summary: "", isDegraded: false, problems: [], version: "", library: "", libraryIdentifier: identifier.uuid,
    uptimeSeconds: 0, assetCount: 0, originalCount: 0, originalByteCount: 0, orphanCount: 0, token: 0,
    journaledToken: 0, waiting: [:], sources: [:], isScanning: false, watches: 0, overflows: 0, watcherRestarts: 0,
    deletion: DeletionStatus(), cloud: CloudStatus(CloudReport(engine: "none")), folders: [])

private let fullStatus = filled(status) {
    $0.snapshotDate = date
    $0.rebuilt = "r"
}

private func page<Row: Codable & Sendable & Equatable>(_ name: String, of row: Row.Type) -> SchemaSample {
    SchemaSample(name, full: PageOf<Row>(rows: [], next: 1), bare: PageOf<Row>(rows: [], next: nil))
}

/// Every value that a body or an answer is made of; what needs a content hash is left out where there is none.
let schemaSamples: [SchemaSample] =
    [
        SchemaSample(
            "Problem", full: Problem("t", title: "", status: 1, detail: "", code: 1, fix: "f"),
            bare: Problem("t", title: "", status: 1, detail: "", fix: "f")),
        SchemaSample("VersionResult", full: VersionResult(version: "1", libraryFormat: 1)),
        SchemaSample("StatusReport", full: fullStatus, bare: status),
        SchemaSample(
            "UndoRequest", full: UndoRequest(token: 1, isDryRun: true, putsBack: true), bare: UndoRequest(token: 1)),
        SchemaSample(
            "UndoResult", full: UndoResult(token: 1, changes: [], remarks: [], putBack: []),
            bare: UndoResult(token: nil, changes: [], remarks: [], putBack: [])),
        SchemaSample(
            "PutBackRow", full: PutBackRow(odd, problem: "p"), bare: PutBackRow(plain, problem: nil)),
        SchemaSample(
            "StatusProblem", full: StatusProblem(what: "w", fix: "f", kind: "k"),
            bare: StatusProblem(what: "w", fix: "f")),
        SchemaSample("CountResult", full: CountResult(count: 1)),
        SchemaSample(
            "FlushRequest", full: FlushRequest(timeoutSeconds: 1), bare: FlushRequest(timeoutSeconds: nil)),
        SchemaSample("FlushResult", full: FlushResult(waiting: [:], offline: [], token: 1)),
        SchemaSample(
            "FolderPathRequest", full: filled(FolderPathRequest(path: odd)) { $0.path = "/in/x" },
            bare: FolderPathRequest(path: nil)),
        SchemaSample("FolderRequest", full: folderRequest, bare: FolderRequest(path: nil)),
        SchemaSample("FolderRow", full: watched, bare: folder(at: plain)),
        page("FolderPage", of: FolderRow.self),
        SchemaSample(
            "FolderCheck", full: FolderCheck(path: "", check: "", isGood: true, detail: "", fix: ""),
            bare: FolderCheck(path: "", check: "", isGood: true, detail: "")),
        page("FolderCheckPage", of: FolderCheck.self),
        SchemaSample("PlanRow", full: plan, bare: PlanRow(path: PathBytes("/a"), mode: "copy")),
        SchemaSample("SubjectRequest", full: subject, bare: SubjectRequest()),
        SchemaSample("PendingRow", full: waiting, bare: pending(PathBytes("/a"), detail: nil, date: nil)),
        page("PendingPage", of: PendingRow.self),
        SchemaSample("WhyReport", full: why, bare: WhyReport(summary: "")),
        SchemaSample("StoryLine", full: StoryLine(date: date, text: "")),
        SchemaSample("MappingRow", full: mapping, bare: MappingRow(localIdentifier: nil, state: .absent)),
        SchemaSample("MappingResult", full: MappingResult(state: .absent, rows: [])),
        SchemaSample("AlbumRow", full: album(titled: odd, isNew: true), bare: album(titled: plain, isNew: nil)),
        page("AlbumPage", of: AlbumRow.self),
        SchemaSample("TitleRequest", full: TitleRequest(title: "")),
        page("AssetPage", of: AssetRow.self),
        SchemaSample("SaveRequest", full: save, bare: SaveRequest(upload: identifier.uuid)),
        SchemaSample("ChangesRequest", full: ChangesRequest(changes: [])),
        SchemaSample("ClientChange", full: change, bare: ClientChange(change: .addAssets)),
        SchemaSample(
            "ChangesResult", full: ChangesResult(token: 1, created: []), bare: ChangesResult(token: nil, created: [])),
        SchemaSample("ChangeRow", full: ChangeRow(token: 1, date: date, origin: "", changes: [])),
        SchemaSample("ChangeEnd", full: ChangeEnd(token: 1)),
    ] + deletionSamples + samplesWithHash + safetySamples + cloudSamples + factsSamples

private var samplesWithHash: [SchemaSample] {
    guard let digest, let bare = asset(named: plain),
        let full = asset(named: odd, trashing, transfer: .uploading, until: date)?.filled(wholeFacts),
        let fullResource = full.resources.first, let bareResource = bare.resources.first,
        var fullVersion = fullResource.versions.first, let version = bareResource.versions.first
    else { return [] }
    fullVersion.isDoubted = true
    return [
        SchemaSample("AssetRow", full: full, bare: bare),
        SchemaSample("ResourceRow", full: fullResource, bare: bareResource),
        SchemaSample("VersionRow", full: fullVersion, bare: version),
        SchemaSample("UploadReceipt", full: UploadReceipt(upload: identifier.uuid, sha256: digest, byteCount: 1)),
        SchemaSample("SaveResult", full: saved(digest, "r", 1), bare: saved(digest, nil, nil)),
    ]
}
