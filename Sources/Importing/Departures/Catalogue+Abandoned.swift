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
    /// A source that was released for erasing takes nothing with it.
    package func assetsAbandoned(by gone: Set<SourceKey>) throws -> [Abandoned] {
        var assets: [Abandoned] = []
        var seen: Set<LocalIdentifier> = []
        for key in gone.sorted() {
            guard let asset = try source(key)?.localIdentifier, seen.insert(asset).inserted,
                try self.asset(asset)?.state == .live
            else { continue }
            let sources = try sources(of: asset)
            guard !sources.contains(where: { $0.isReleased || $0.isPresent && !gone.contains($0.key) }) else {
                continue
            }
            assets.append(Abandoned(asset: asset, sources: sources.map(\.key).filter(gone.contains)))
        }
        return assets
    }
}
