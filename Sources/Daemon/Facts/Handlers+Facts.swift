import Control
import PhotoModel
import PhotoStore
import Platform

/// What is known of photos by their bytes.
extension LibraryService {
    func factsStatus(in catalogue: Catalogue) throws -> FactsStatus {
        let counts = try catalogue.factsCounts()
        return FactsStatus(
            knownCount: counts.known, waitingCount: counts.waiting, unreadableCount: counts.unreadable,
            unavailable: facts.problem)
    }

    /// All of them, empty ones too, in one order.
    func smartAlbums() async throws -> [SmartAlbumRow] {
        let now = machine.now()
        let counts = try await read { try $0.smartAlbumCounts(at: now) }
        return SmartAlbum.allCases.map { SmartAlbumRow($0, count: counts[$0] ?? 0) }
    }

    /// Why the current bytes of an asset could not be read is said of those alone.
    func factsRow(of asset: Asset, in catalogue: Catalogue) throws -> FactsRow {
        let current = asset.resources.first?.versions.last?.content.hash
        return FactsRow(
            facts: try catalogue.facts(of: asset.localIdentifier),
            smartAlbums: try catalogue.smartAlbums(of: asset.localIdentifier),
            unreadable: try current.flatMap { try catalogue.reading(of: $0)?.unreadable })
    }
}
