import FoundationEssentials
import PhotoModel

/// What a change touched: all that its undo looks at.
struct UndoScope: Sendable {
    private(set) var assets: Set<LocalIdentifier> = []
    /// Assets that the change made.
    private(set) var created: Set<LocalIdentifier> = []
    /// Albums, each with the assets that were put in or taken out.
    private(set) var albums: [LocalIdentifier: Set<LocalIdentifier>] = [:]
    private(set) var sources: Set<SourceKey> = []
    private(set) var externals: Set<String> = []
    private(set) var folderAlbums: Set<FolderAlbumRelease> = []
    /// Assets whose facts were set.
    private(set) var facts: Set<LocalIdentifier> = []

    init(_ requests: [ChangeRequest]) {
        for request in requests { add(request) }
    }

    private mutating func add(_ request: ChangeRequest) {
        switch request {
        case .createAsset(let value):
            created.insert(value.localIdentifier)
            assets.insert(value.localIdentifier)
        case .addVersion(let value): assets.insert(value.localIdentifier)
        case .addResource(let value): assets.insert(value.localIdentifier)
        case .arrangeResources(let value): assets.insert(value.localIdentifier)
        case .createAlbum(let value): add(value.localIdentifier, [])
        case .renameAlbum(let value): add(value.localIdentifier, [])
        case .deleteAlbum(let value): add(value.localIdentifier, [])
        case .addAssets(let value): add(value.album, value.assets)
        case .removeAssets(let value): add(value.album, value.assets)
        case .setMembership(let value): add(value.album, [value.asset])
        case .bindFolderAlbum(let value): folderAlbums.insert(.init(folder: value.folder, directory: value.directory))
        case .releaseFolderAlbum(let value): folderAlbums.insert(value)
        case .recordSource(let value): sources.insert(value.key)
        case .forgetSource(let value): sources.insert(value)
        case .bindExternal(let value): externals.insert(value.externalIdentifier)
        case .releaseExternal(let value): externals.insert(value.externalIdentifier)
        case .trashAssets(let value): assets.formUnion(value.assets)
        case .restoreAssets(let value): assets.formUnion(value.assets)
        case .purgeAsset(let value): assets.insert(value.localIdentifier)
        case .setFacts(let value): facts.insert(value.localIdentifier)
        case .registerFolder, .setCondition, .setResidency, .setTransfer, .setPin, .setAlbumTier: break
        }
    }

    private mutating func add(_ album: LocalIdentifier, _ members: [LocalIdentifier]) {
        albums[album, default: []].formUnion(members)
        assets.formUnion(members)
    }
}
