/// What may stand after the `?` of each route.
extension Operation {
    /// The keys that the query may have; docs/openapi.yaml describes them.
    package var queryKeys: [String] {
        switch self {
        case .pending, .listAlbums, .listTrash: Self.pagingKeys
        case .listAssets: Self.pagingKeys + ["album", "residency", "smart"]
        case .listChanges: ["after", "follow"]
        case .saveAsset: ["wait"]
        case .getOriginal: ["version", "allowNetwork"]
        case .getCopy: ["version"]
        case .cloudStatus: ["settled"]
        case .cloudPlan: ["limit"]
        default: []
        }
    }

    private static let pagingKeys = ["after", "limit"]

    /// Refuses a key that the operation does not know: what it was to mean would not be done.
    package func check(query: [String: String]) throws(Problem) {
        guard let unknown = query.keys.sorted().first(where: { !queryKeys.contains($0) }) else { return }
        let known = queryKeys.isEmpty ? "none is known here" : "known are \(queryKeys.joined(separator: ", "))"
        throw .badRequest("the query key '\(unknown)' is unknown: \(known)")
    }
}

extension Request {
    /// A key of the query that says yes or no; nil where it is not there.
    package func flag(_ key: String) throws(Problem) -> Bool? {
        switch query[key] {
        case nil: return nil
        case "true": return true
        case "false": return false
        case let word?: throw .badRequest("'\(key)' is '\(word)', and must be true or false")
        }
    }
}

/// The body of a request that has nothing to say.
package struct NoFields: Codable, Sendable, Equatable {
    package init() {}
}
