package import PhotoModel
package import PhotoStore

/// A live asset that keeps no source, with those of its sources that go.
package struct Abandoned: Sendable {
    package var asset: LocalIdentifier
    package var sources: [SourceKey]
}

/// What a deletion of sources would leave alone; for acting on one and for the plan of that.
extension Catalogue {
    /// In the order of their first paths.
    ///
    /// A source that was released for erasing takes nothing with it. Of several files of an asset sidecars do not count: it
    /// goes with the last of its pictures and movies.
    package func assetsAbandoned(by gone: Set<SourceKey>) throws -> [Abandoned] {
        var assets: [Abandoned] = []
        var seen: Set<LocalIdentifier> = []
        for key in gone.sorted() {
            guard let identifier = try source(key)?.localIdentifier, seen.insert(identifier).inserted,
                let asset = try self.asset(identifier), asset.state == .live
            else { continue }
            let all = try sources(of: identifier)
            let sources = all.filter { $0.isOfMedia(of: asset) }
            guard sources.contains(where: { gone.contains($0.key) }),
                !sources.contains(where: { $0.isReleased || $0.isPresent && !gone.contains($0.key) })
            else { continue }
            assets.append(Abandoned(asset: identifier, sources: all.map(\.key).filter(gone.contains)))
        }
        return assets
    }
}

extension Source {
    /// Whether its bytes are a picture or a movie of the asset, as far as is known.
    fileprivate func isOfMedia(of asset: Asset) -> Bool {
        guard asset.resources.count > 1, let hash = evidence?.hash else { return true }
        return asset.resources.contains { $0.type.mediaType != nil && $0.has(hash) }
    }
}
