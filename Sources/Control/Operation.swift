/// Everything the API can do: one case, one route.
///
/// docs/openapi.yaml describes each, and a test holds it against this.
package enum Operation: String, CaseIterable, Sendable {
    case version
    case status
    case metrics
    case flush
    case reconcile
    case plan
    case pending
    case retry
    case why
    case checkSafety
    case releaseSources
    case verify
    case repair
    case reload
    case listFolders
    case addFolder
    case removeFolder
    case checkFolder
    case confirmFolder
    case listAlbums
    case listSmartAlbums
    case ensureAlbum
    case albumsTitled
    case getAlbum
    case renameAlbum
    case listAssets
    case getAsset
    case saveAsset
    case getOriginal
    case getCopy
    case getMapping
    case checkMapping
    case upload
    case deleteAssets
    case listTrash
    case restoreAssets
    case purgeAssets
    case confirmDeletion
    case performChanges
    case listChanges
    case undo
    case repairDates
    case tierAssets
    case cloudStatus
    case cloudPlan
    case evictAssets
    case fetchAssets
    case pinAssets
    case setAlbumTier
    case verifyCloud
    case drillCloud
    case simulateCloud
    case adoptStore
    case recoverOriginals

    /// What a peer must be allowed to.
    package enum Access: String, Sendable {
        case read
        case write
    }

    /// The method, the path (`{id}` stands for a bare UUID), and what it needs.
    package var route: (method: Request.Method, path: String, access: Access) {
        switch self {
        case .version: (.get, "/v1/version", .read)
        case .status: (.get, "/v1/status", .read)
        case .metrics: (.get, "/v1/metrics", .read)
        case .flush: (.post, "/v1/flush", .read)
        case .reconcile: (.post, "/v1/reconcile", .write)
        case .plan: (.post, "/v1/plan", .read)
        case .pending: (.get, "/v1/pending", .read)
        case .retry: (.post, "/v1/retry", .write)
        case .why: (.post, "/v1/why", .read)
        case .checkSafety: (.post, "/v1/safe", .read)
        case .releaseSources: (.post, "/v1/safe/release", .write)
        case .verify: (.post, "/v1/verify", .write)
        case .repair: (.post, "/v1/repair", .write)
        case .reload: (.post, "/v1/reload", .write)
        case .listFolders: (.get, "/v1/folders", .read)
        case .addFolder: (.post, "/v1/folders", .write)
        case .removeFolder: (.post, "/v1/folders/remove", .write)
        case .checkFolder: (.post, "/v1/folders/check", .read)
        case .confirmFolder: (.post, "/v1/folders/confirm", .write)
        case .listAlbums: (.get, "/v1/albums", .read)
        case .listSmartAlbums: (.get, "/v1/smart-albums", .read)
        case .ensureAlbum: (.post, "/v1/albums", .write)
        case .albumsTitled: (.post, "/v1/albums/titled", .read)
        case .getAlbum: (.get, "/v1/albums/{id}", .read)
        case .renameAlbum: (.post, "/v1/albums/{id}/rename", .write)
        case .listAssets: (.get, "/v1/assets", .read)
        case .getAsset: (.get, "/v1/assets/{id}", .read)
        case .saveAsset: (.post, "/v1/assets", .write)
        case .getOriginal: (.get, "/v1/assets/{id}/original", .read)
        case .getCopy: (.get, "/v1/assets/{id}/copy", .read)
        case .getMapping: (.post, "/v1/mappings", .read)
        case .checkMapping: (.post, "/v1/mappings/check", .read)
        case .upload: (.put, "/v1/uploads", .write)
        case .deleteAssets: (.post, "/v1/assets/delete", .write)
        case .listTrash: (.get, "/v1/trash", .read)
        case .restoreAssets: (.post, "/v1/trash/restore", .write)
        case .purgeAssets: (.post, "/v1/trash/purge", .write)
        case .confirmDeletion: (.post, "/v1/trash/confirm", .write)
        case .performChanges: (.post, "/v1/changes", .write)
        case .listChanges: (.get, "/v1/changes", .read)
        case .undo: (.post, "/v1/undo", .write)
        case .repairDates: (.post, "/v1/dates/repair", .write)
        case .tierAssets: (.post, "/v1/assets/tier", .read)
        case .cloudStatus: (.get, "/v1/cloud", .read)
        case .cloudPlan: (.get, "/v1/cloud/plan", .read)
        case .evictAssets: (.post, "/v1/cloud/evict", .write)
        case .fetchAssets: (.post, "/v1/cloud/fetch", .write)
        case .pinAssets: (.post, "/v1/cloud/pin", .write)
        case .setAlbumTier: (.post, "/v1/cloud/rule", .write)
        case .verifyCloud: (.post, "/v1/cloud/verify", .write)
        case .drillCloud: (.post, "/v1/cloud/drill", .write)
        case .simulateCloud: (.post, "/v1/cloud/simulate", .write)
        case .adoptStore: (.post, "/v1/cloud/adopt", .write)
        case .recoverOriginals: (.post, "/v1/cloud/recover", .write)
        }
    }
}
