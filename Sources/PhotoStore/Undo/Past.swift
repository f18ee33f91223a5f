import FoundationEssentials
import PhotoModel

/// What a change touched, as it was at some point of the history: its lines, folded.
///
/// Pure; it knows nothing but what `scope` names.
struct Past: Sendable {
    enum State: Sendable, Equatable {
        case live
        case trashed(AssetTrashing)
        case purged
    }

    let scope: UndoScope
    private(set) var assets: [LocalIdentifier: State] = [:]
    private(set) var resources: [LocalIdentifier: [PastResource]] = [:]
    private(set) var albums: [LocalIdentifier: PastAlbum] = [:]
    private(set) var sources: [SourceKey: Source] = [:]
    /// Sources of the assets whose file albumd has removed, and those among `sources`.
    private(set) var removed: [SourceKey: Source] = [:]
    /// Paths of such sources where another file stands by now, with the asset whose file was there.
    private(set) var replaced: [SourceKey: LocalIdentifier] = [:]
    private(set) var externals: [String: LocalIdentifier] = [:]
    private(set) var folderAlbums: [FolderAlbumRelease: FolderAlbumBinding] = [:]
    private(set) var facts: [LocalIdentifier: FactsChange] = [:]

    init(of scope: UndoScope) { self.scope = scope }

    mutating func take(_ request: ChangeRequest) {
        switch request {
        case .createAsset, .addVersion, .addResource, .arrangeResources, .trashAssets, .restoreAssets, .purgeAsset:
            takeAsset(request)
        case .createAlbum, .renameAlbum, .deleteAlbum, .addAssets, .removeAssets, .setMembership: takeAlbum(request)
        case .recordSource(let source): take(source)
        case .forgetSource(let key): (sources[key], removed[key], replaced[key]) = (nil, nil, nil)
        case .bindExternal(let value) where scope.externals.contains(value.externalIdentifier):
            externals[value.externalIdentifier] = value.localIdentifier
        case .releaseExternal(let value): externals[value.externalIdentifier] = nil
        case .bindFolderAlbum(let value):
            let key = FolderAlbumRelease(folder: value.folder, directory: value.directory)
            if scope.folderAlbums.contains(key) { folderAlbums[key] = value }
        case .releaseFolderAlbum(let value): folderAlbums[value] = nil
        case .bindExternal, .registerFolder, .setCondition: break
        case .setFacts(let value) where scope.facts.contains(value.localIdentifier):
            facts[value.localIdentifier] = value
        case .setResidency, .setTransfer, .setPin, .setAlbumTier, .setFacts: break
        }
    }

    private mutating func take(_ source: Source) {
        let isInScope = scope.sources.contains(source.key)
        if isInScope { sources[source.key] = source }
        if let before = removed[source.key]?.localIdentifier ?? replaced[source.key] {
            replaced[source.key] = source.localIdentifier == before ? nil : before
        }
        let isConcerned = source.localIdentifier.map { isInScope || scope.assets.contains($0) } ?? false
        removed[source.key] = source.isRemoved && isConcerned ? source : nil
    }

    private mutating func takeAsset(_ request: ChangeRequest) {
        switch request {
        case .createAsset(let value) where scope.assets.contains(value.localIdentifier):
            assets[value.localIdentifier] = .live
            resources[value.localIdentifier] = [PastResource(type: value.resourceType, content: value.content)]
        case .addVersion(let value) where scope.assets.contains(value.localIdentifier):
            let index = resources[value.localIdentifier]?.firstIndex { $0.isMeant(by: value) }
            if let index { resources[value.localIdentifier]?[index].add(value) }
        case .addResource(let value) where scope.assets.contains(value.localIdentifier):
            resources[value.localIdentifier, default: []].add(value)
        case .arrangeResources(let value): resources[value.localIdentifier]?.arrange(value)
        case .trashAssets(let value): trash(value)
        case .restoreAssets(let value):
            for asset in value.assets { if case .trashed = assets[asset] { assets[asset] = .live } }
        case .purgeAsset(let value):
            if assets[value.localIdentifier] != nil { assets[value.localIdentifier] = .purged }
            for album in albums.keys { albums[album]?.forget(value.localIdentifier) }
        default: break
        }
    }

    private mutating func trash(_ trashing: AssetTrashing) {
        for asset in trashing.assets where assets[asset] == .live {
            var one = trashing
            one.assets = [asset]
            assets[asset] = .trashed(one)
        }
    }

    private mutating func takeAlbum(_ request: ChangeRequest) {
        switch request {
        case .createAlbum(let value) where scope.albums[value.localIdentifier] != nil:
            albums[value.localIdentifier] = PastAlbum(title: value.title)
        case .renameAlbum(let value): albums[value.localIdentifier]?.title = value.title
        case .deleteAlbum(let value): albums[value.localIdentifier] = nil
        case .addAssets(let value):
            for asset in value.assets { albums[value.album]?.add(asset, by: value.addedBy) }
        case .removeAssets(let value):
            for asset in value.assets { albums[value.album]?.remove(asset, by: value.removedBy) }
        case .setMembership(let value): albums[value.album]?.set(value)
        default: break
        }
    }
}
