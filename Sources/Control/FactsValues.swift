package import PhotoModel

/// How far the reading of facts has come: a part of `GET /v1/status`.
///
/// Nothing of it makes albumd degraded: photos are as safe without.
package struct FactsStatus: Codable, Sendable, Equatable {
    /// Assets whose facts are known.
    package var knownCount: Int
    /// Assets whose bytes are still to be read.
    package var waitingCount: Int
    /// Originals that could not be read, and were given up.
    package var unreadableCount: Int
    /// Why nothing can be read, with what mends it.
    package var unavailable: StatusProblem?

    package init(
        knownCount: Int = 0, waitingCount: Int = 0, unreadableCount: Int = 0, unavailable: StatusProblem? = nil
    ) {
        self.knownCount = knownCount
        self.waitingCount = waitingCount
        self.unreadableCount = unreadableCount
        self.unavailable = unavailable
    }
}

/// A smart album in JSON, whether anything is in it or not.
package struct SmartAlbumRow: Codable, Sendable, Equatable {
    package var title: SmartAlbum
    /// PHAssetCollectionSubtype's number.
    package var subtype: Int
    /// Live assets in it; where facts decide, of those whose facts are known.
    package var count: Int

    package init(_ album: SmartAlbum, count: Int) {
        title = album
        subtype = album.photoKitRawValue
        self.count = count
    }
}

/// What is known of an asset by its bytes, as `getAsset` shows it.
package struct FactsRow: Sendable, Equatable {
    package var facts: AssetFacts?
    package var smartAlbums: [SmartAlbum]
    /// Why its current bytes could not be read.
    package var unreadable: String?

    package init(facts: AssetFacts? = nil, smartAlbums: [SmartAlbum] = [], unreadable: String? = nil) {
        self.facts = facts
        self.smartAlbums = smartAlbums
        self.unreadable = unreadable
    }
}
