import FoundationEssentials
package import PhotoModel
import Platform

/// The requests that reverse one change, and what of it cannot be reversed.
///
/// Pure. Each thing that the change touched is compared as it was before and after it: where they differ, and it is now
/// as it was after, a request puts it back. What was changed since is left alone, and said.
package struct UndoPlan: Sendable, Equatable {
    package internal(set) var requests: [ChangeRequest] = []
    /// One line each.
    package internal(set) var remarks: [String] = []
    /// Sources that albumd removed: their bytes may be put back at their paths.
    package private(set) var removedSources: [Source] = []

    /// Assets that come back out of Recently Deleted.
    package var restored: [LocalIdentifier] {
        requests.flatMap { request -> [LocalIdentifier] in
            guard case .restoreAssets(let restoring) = request else { return [] }
            return restoring.assets
        }
    }

    let basis: UndoBasis
    let files: FilesBack
    var scope: UndoScope { basis.now.scope }

    /// `runningSeconds` dates what goes to Recently Deleted.
    package init(_ basis: UndoBasis, runningSeconds: Int64, files: FilesBack = FilesBack()) {
        self.basis = basis
        self.files = files
        removedSources = findRemovedSources()
        remarkOnFacts()
        undoAlbums()
        undoStates(runningSeconds)
        undoMemberships()
        undoVersions()
        undoBindings()
        undoZones()
        undoSources()
        deleteAlbums()
        if requests.isEmpty, remarks.isEmpty, removedSources.isEmpty {
            remarks.append("everything is as it was before that change, or has been put so since")
        }
    }

    package static func == (left: UndoPlan, right: UndoPlan) -> Bool {
        left.requests == right.requests && left.remarks == right.remarks
    }

    private mutating func remarkOnFacts() {
        for request in basis.requests {
            switch request {
            case .registerFolder(let folder):
                remarks.append(
                    "folder '\(printable(folder.path.bytes))' stays known: albumctl folder remove lets it go")
            case .setCondition(let change):
                remarks.append("original \(change.hash) is as it was found (\(change.condition.rawValue))")
            case .setResidency(let change):
                remarks.append("original \(change.hash) stays where it is: albumctl cloud evict and fetch move it")
            case .setPin(let change):
                remarks.append("asset \(change.localIdentifier) keeps its pin as it is: albumctl cloud pin and unpin")
            case .setAlbumTier(let change):
                remarks.append("album \(change.album) keeps its rule as it is: albumctl cloud rule")
            default: break
            }
        }
    }

    private mutating func undoVersions() {
        for asset in basis.after.resources.keys.sorted() where !scope.created.contains(asset) {
            for resource in basis.after.resources[asset] ?? [] { undoVersion(of: resource, of: asset) }
        }
    }

    private mutating func undoVersion(of after: PastResource, of asset: LocalIdentifier) {
        guard basis.now.assets[asset] != .purged else { return }
        guard let before = basis.before.resources[asset]?.resource(beganWith: after.first)?.current else {
            let remark = "asset \(asset) keeps what came to it: its files belong together"
            if !remarks.contains(remark) { remarks.append(remark) }
            return
        }
        guard let content = after.current, before.hash != content.hash else { return }
        guard let now = basis.now.resources[asset]?.resource(beganWith: after.first),
            now.current?.hash == content.hash
        else {
            remarks.append("asset \(asset) was edited again since")
            return
        }
        requests.append(
            .addVersion(
                VersionAddition(
                    localIdentifier: asset, resourceType: now.type, content: before,
                    replacing: now.type.canBeSeveral ? content.hash : nil)))
    }

    private mutating func undoBindings() {
        for key in scope.externals.sorted() {
            let (before, after) = (basis.before.externals[key], basis.after.externals[key])
            // What came with a new asset goes and comes with it.
            if before == after || before == nil && after.map(scope.created.contains) ?? false { continue }
            guard basis.now.externals[key] == after else {
                remarks.append("the identifier '\(printable(Array(key.utf8)))' was bound again since")
                continue
            }
            requests.append(
                before.map { .bindExternal(ExternalBinding(externalIdentifier: key, localIdentifier: $0)) }
                    ?? .releaseExternal(ExternalRelease(externalIdentifier: key)))
        }
        for key in scope.folderAlbums.sorted(by: { $0.directory < $1.directory }) {
            let (before, after) = (basis.before.folderAlbums[key], basis.after.folderAlbums[key])
            guard before != after else { continue }
            // What a rule says of an album that is gone is to be asked, not forgotten.
            if before == nil, let album = after?.album, isInUse(album) || goes(album) { continue }
            guard basis.now.folderAlbums[key] == after else {
                let place =
                    key.directory.bytes.isEmpty ? "a folder" : "'\(printable(key.directory.bytes))' in its folder"
                remarks.append("the album of \(place) was changed since")
                continue
            }
            requests.append(before.map { .bindFolderAlbum($0) } ?? .releaseFolderAlbum(key))
        }
    }
}
