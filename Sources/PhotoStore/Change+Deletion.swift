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

    /// Takes trashed assets back.
    ///
    /// Their sources that were gone are forgotten: the same absence never trashes twice (RULES R35).
    package mutating func restore(_ assets: [LocalIdentifier]) throws {
        for asset in assets where try catalogue.asset(asset)?.state == .trashed {
            for source in try catalogue.sources(of: asset) where source.departure != nil {
                try perform(.forgetSource(source.key))
                tell("its asset \(asset) was taken back out of Recently Deleted; the file stays gone", of: source.key)
            }
        }
        try perform(.restoreAssets(AssetRestoring(assets: assets)))
    }

    /// The commit of a purge; the bytes are unlinked after it (`PhotoLibrary.finishPurges`).
    mutating func purge(_ asset: Asset, reason: PurgeReason) throws {
        let contents = Set(asset.resources.flatMap(\.versions).map(\.content.hash)).sorted()
        let names = asset.resources.map(\.originalFilename)
        try perform(
            .purgeAsset(
                AssetPurge(
                    localIdentifier: asset.localIdentifier, contents: contents, originalFilenames: names, reason: reason
                )))
    }
}
