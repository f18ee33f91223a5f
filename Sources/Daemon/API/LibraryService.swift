import Control
import FoundationEssentials
import Importing
import Media
import PhotoModel
import PhotoStore
import Platform

/// Everything that the handlers of the API reach: the library and the services round it.
struct LibraryService: Sendable {
    let library: PhotoLibrary
    let readers: LibraryReaders
    let importing: ImportService
    let watcher: FolderWatcher
    let journal: JournalService
    let snapshots: SnapshotService
    let uploads: Uploads
    let verification: Verification
    /// Nil where the configuration wants no cloud.
    let cloud: CloudService?
    /// Why there is none, though the configuration wants one.
    let cloudFailure: UnusableCloud?
    let facts: FactsService
    let recogniser: MediaRecogniser
    let folderRules: FolderRules
    let recovery: RecoveryReport
    let knownOrphans: Orphans
    let knownFaults: KnownFaults
    /// What makes a catalogue anew that is not what its history makes.
    let rebuilding: String
    /// Told of a disk that failed under a change: the daemon ends.
    let fatal: FatalFailure
    let machine: Machine
    let access: AccessRule
    let started: Duration
    /// For work that may take long: plans, folder checks.
    let pool: BlockingPool

    /// Takes over what recovery found.
    func noteOrphans() {
        let orphans = library.onThread { $0.recovery.orphanFiles }
        knownOrphans.replace(with: orphans)
        guard !orphans.isEmpty else { return }
        machine.log(.notice, "originals are stored that no row names", ["orphans": String(orphans.count)])
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Catalogue) throws -> Value) async throws -> Value {
        try await readers.read(body)
    }
}

extension LibraryService {
    /// The answer to one request: access first, then the operation; every error is a `Problem`.
    func respond(_ request: Request) async -> Response {
        do {
            let (operation, id) = try route(request)
            if let refusal = access.refusal(of: operation.route.access, to: request.peer) {
                machine.log(
                    .warning, "refused \(operation.rawValue)",
                    ["uid": String(request.peer.uid), "pid": String(request.peer.pid)])
                return refusal.response
            }
            try operation.check(query: request.query)
            if operation.route.access == .write, fatal.error != nil { throw Problem.ending }
            if operation.needsCheckedCatalogue {
                try await library.inspection.requirePass()
                try await pool.run { try library.directory.requireInPlace(machine.files) }
            }
            return try await perform(operation, id: id, request)
        } catch {
            let response = problem(error).response
            return response.status == 405 ? response.allowing(Router.methods(at: request.path)) : response
        }
    }

    private func route(_ request: Request) throws(Problem) -> (Operation, LocalIdentifier?) {
        switch Router.match(request.method, request.path) {
        case .operation(let operation, let id):
            guard let id else { return (operation, nil) }
            guard let identifier = LocalIdentifier(id) else { throw .badRequest("'\(id)' is no UUID") }
            return (operation, identifier)
        case .methodNotAllowed(let methods):
            throw .methodNotAllowed(methods, at: request.path)
        case .notFound: throw .noRoute(request.path)
        }
    }

    private func perform(_ operation: Operation, id: LocalIdentifier?, _ request: Request) async throws -> Response {
        switch operation {
        case .version: json(VersionResult(version: Release.version, libraryFormat: LibraryDirectory.formatVersion))
        case .status: json(try await status())
        case .metrics:
            Response(status: 200, contentType: "text/plain; version=0.0.4", body: .bytes(try await metrics()))
        case .flush: json(try await flush(decode(request)))
        case .reconcile: json(try await reconcile(decode(request)))
        case .plan: try await plan(decode(request))
        case .pending: json(try await pending(Paging(request)))
        case .retry: json(try await retry(decode(request)))
        case .why: json(try await why(decode(request)))
        case .checkSafety: json(try await safety(decode(request)))
        case .releaseSources: json(try await release(decode(request), by: request.peer))
        case .verify: try verify(decode(request))
        case .repair: try repair(decode(request), by: request.peer)
        case .reload: json(try await reload(decode(request)))
        case .listFolders: json(PageOf(rows: try await folders(), next: nil))
        case .addFolder: json(try await addFolder(decode(request)))
        case .removeFolder: json(try await removeFolder(decode(request)))
        case .checkFolder: json(PageOf(rows: try await checkFolder(decode(request)), next: nil))
        case .confirmFolder: json(try await confirmFolder(decode(request)))
        case .listAlbums: json(try await albums(Paging(request)))
        case .listSmartAlbums: json(PageOf(rows: try await smartAlbums(), next: nil))
        case .ensureAlbum: json(try await ensureAlbum(decode(request), by: request.peer))
        case .albumsTitled: json(try await albumsTitled(decode(request)))
        case .getAlbum: json(try await album(required(id)))
        case .renameAlbum: json(try await renameAlbum(required(id), decode(request), by: request.peer))
        case .listAssets: json(try await assets(Paging(request), request.query))
        case .getAsset: json(try await asset(required(id)))
        case .saveAsset: try await save(decode(request), wait: request.flag("wait") ?? true, by: request.peer)
        case .getOriginal:
            try await original(
                required(id), version: request.query["version"], isAllowed: request.flag("allowNetwork") ?? false)
        case .getCopy: try await copyInCloud(of: required(id), version: request.query["version"])
        case .getMapping: json(try await mapping(decode(request)))
        case .checkMapping: json(try await mapping(decode(request)))
        case .upload: throw Problem.badRequest("an upload is a PUT with a body")
        case .deleteAssets: json(try await deleteAssets(decode(request), by: request.peer))
        case .listTrash: json(try await trash(Paging(request)))
        case .restoreAssets: json(try await restoreAssets(decode(request), by: request.peer))
        case .purgeAssets: json(try await purgeAssets(decode(request), by: request.peer))
        case .confirmDeletion: json(try await confirmDeletion(decode(request)))
        case .performChanges: json(try await performChanges(decode(request), by: request.peer))
        case .undo: json(try await undo(decode(request), by: request.peer))
        case .repairDates: json(try await repairDates(decode(request), by: request.peer))
        case .tierAssets: json(try await tier(decode(request)))
        case .cloudStatus: json(try await cloudStatus(isSettled: request.flag("settled") ?? false))
        case .cloudPlan: json(try await cloudPlan(limit: request.query["limit"]))
        case .evictAssets: try await moveOriginals(.evict, decode(request))
        case .fetchAssets: try await moveOriginals(.fetch, decode(request))
        case .verifyCloud: try await moveOriginals(.verify, decode(request))
        case .drillCloud: try await moveOriginals(.drill, decode(request))
        case .recoverOriginals: try recoverOriginals(decode(request), by: request.peer)
        case .adoptStore: json(try await adoptStore(decode(request), by: request.peer))
        case .pinAssets: json(try await pin(decode(request), by: request.peer))
        case .setAlbumTier: json(try await setAlbumTier(decode(request), by: request.peer))
        case .simulateCloud: json(try await simulate(decode(request)))
        case .listChanges: try await changes(Paging(request), follow: request.flag("follow") ?? false)
        }
    }

    private func decode<Value: Decodable>(_ request: Request) throws(Problem) -> Value {
        try JSON.decodeRequest(Value.self, from: request.body)
    }

    /// Nothing can be said in its body.
    private func reload(_: NoFields) async throws -> ReloadResult {
        try await pool.run { [folderRules] in try folderRules.reload() }
    }

    private func required(_ id: LocalIdentifier?) throws(Problem) -> LocalIdentifier {
        guard let id else { throw .badRequest("an identifier is missing") }
        return id
    }

    func json(_ value: some Encodable, status: Int = 200) -> Response {
        Response(status: status, contentType: "application/json", body: .bytes(JSON.encode(value)))
    }
}

extension Operation {
    /// Whether it removes something on the catalogue's word, or calls something safe.
    fileprivate var needsCheckedCatalogue: Bool {
        switch self {
        case .checkSafety, .releaseSources, .verify, .repair, .purgeAssets, .evictAssets, .saveAsset: true
        default: false
        }
    }
}

/// Where a list goes on, and how much of it: `after` and `limit` of the query.
struct Paging {
    let after: Int64
    let limit: Int

    init(_ request: Request) throws(Problem) {
        let cursor = request.query["after"] ?? "0"
        guard let after = Int64(cursor), after >= 0 else {
            throw .badRequest("'after' is '\(cursor)', and must be a cursor: the 'next' of the page before, or 0")
        }
        let count = request.query["limit"] ?? "100"
        guard let limit = Int(count), (1...500).contains(limit) else {
            throw .badRequest("'limit' is '\(count)', and must be a whole number from 1 to 500")
        }
        (self.after, self.limit) = (after, limit)
    }
}
