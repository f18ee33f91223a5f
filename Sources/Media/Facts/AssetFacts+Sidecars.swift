import MediaFacts
import PhotoModel

/// A sidecar fills what the file lacks, and never takes its place.
extension AssetFacts {
    mutating func fill(from xmp: [Tag: String]) {
        fill(.location, \.location, xmp.location, .xmp)
        fill(.title, \.title, xmp.title, .xmp)
        fill(.caption, \.caption, xmp.caption, .xmp)
        fill(.rating, \.rating, xmp.rating, .xmp)
        fill(.isFavorite, \.isFavorite, xmp.isFavorite, .xmp)
        guard keywords.isEmpty, !xmp.keywords.isEmpty else { return }
        keywords = xmp.keywords
        filledBySidecar[.keywords] = .xmp
    }

    /// Takeout's title is the name that the file had once; it is one only where it says something else than the name.
    mutating func fill(from takeout: TakeoutSidecar, besides name: [UInt8]?) {
        let isName = takeout.title.map { Array($0.utf8) == name } ?? true
        fill(.title, \.title, isName ? nil : takeout.title, .takeout)
        fill(.location, \.location, takeout.location, .takeout)
        fill(.caption, \.caption, takeout.caption, .takeout)
        fill(.isFavorite, \.isFavorite, takeout.isFavorite, .takeout)
    }

    private mutating func fill<Value>(
        _ field: Field, _ path: WritableKeyPath<AssetFacts, Value?>, _ value: Value?, _ kind: SidecarKind
    ) {
        guard self[keyPath: path] == nil, let value else { return }
        self[keyPath: path] = value
        filledBySidecar[field] = kind
    }
}
