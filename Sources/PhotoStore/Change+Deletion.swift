package import FoundationEssentials
package import PhotoModel

/// Into Recently Deleted, out of it, and for good.
extension Change {
    package mutating func trash(
        _ assets: [LocalIdentifier], reason: TrashReason, folder: UUID? = nil
    ) throws {
        guard !assets.isEmpty else { return }
        try perform(
            .trashAssets(
                AssetTrashing(
                    assets: assets, reason: reason, folder: folder,
                    runningSeconds: try catalogue.clock()?.runningSeconds ?? 0)))
    }

    /// A person deletes assets; their files have to go, too, in these folders, whose rule says so now.
    ///
    /// The sources are marked (`deleted`) and no others are ever removed for it: a rule is for the deletions that come
    /// while it is in force.
    package mutating func delete(_ assets: [LocalIdentifier], removingSourcesIn folders: Set<UUID>) throws {
        try trash(assets, reason: .person)
        for asset in assets where try catalogue.asset(asset)?.state == .trashed {
            for source in try catalogue.sources(of: asset) where source.outcome.isMapped && source.isPresent {
                try mark(source, asToGo: folders.contains(source.key.folder))
            }
        }
    }

    private mutating func mark(_ source: Source, asToGo isToGo: Bool) throws {
        guard source.outcome.isMapped, isToGo != (source.reason == .deleted) else { return }
        var source = source
        source.reason = isToGo ? .deleted : .sameContent
        try perform(.recordSource(source))
    }

    /// Takes trashed assets back.
    ///
    /// Their sources that were gone are forgotten: the same absence never trashes twice (RULES R35).
    package mutating func restore(_ assets: [LocalIdentifier]) throws {
        for asset in assets where try catalogue.asset(asset)?.state == .trashed {
            for source in try catalogue.sources(of: asset) {
                guard source.departure != nil else {
                    try mark(source, asToGo: false)
                    continue
                }
                try perform(.forgetSource(source.key))
                tell("its asset \(asset) was taken back out of Recently Deleted; the file stays gone", of: source.key)
            }
        }
        try perform(.restoreAssets(AssetRestoring(assets: assets)))
    }

    /// The commit of a purge; the bytes are unlinked after it (`PhotoLibrary.finishPurges`).
    ///
    /// Where nobody deleted the asset but with its file, the file is forgotten: if it comes back, so does the photo.
    mutating func purge(_ asset: Asset, reason: PurgeReason) throws {
        if asset.trashing?.reason.followsSource == true {
            for source in try catalogue.sources(of: asset.localIdentifier) where source.departure != nil {
                try perform(.forgetSource(source.key))
                tell("its asset \(asset.localIdentifier) was deleted for good", of: source.key)
            }
        }
        let contents = Set(asset.resources.flatMap(\.versions).map(\.content.hash)).sorted()
        let names = asset.resources.map(\.originalFilename)
        try perform(
            .purgeAsset(
                AssetPurge(
                    localIdentifier: asset.localIdentifier, contents: contents, originalFilenames: names, reason: reason
                )))
    }
}
