import FoundationEssentials
import PhotoModel
import SQLite

/// Applying what becomes of the files of one asset.
extension Catalogue {
    /// Bytes that the asset has already are no new file of it.
    func add(_ addition: ResourceAddition, at date: Date) throws -> Bool {
        let asset = try rowID(asset: addition.localIdentifier)
        guard try resource(of: asset, having: addition.content.hash) == nil else { return false }
        let number = try connection.first(
            "SELECT coalesce(max(number) + 1, 0) FROM resource WHERE asset = ? AND type = ?", .integer(asset),
            .integer(Int64(addition.resourceType.rawValue))
        ) { $0.integer(0) }
        try connection.run(
            "INSERT INTO resource (asset, type, number, originalFilename) VALUES (?, ?, ?, ?)", .integer(asset),
            .integer(Int64(addition.resourceType.rawValue)), .integer(number ?? 0),
            .blob(addition.originalFilename.bytes))
        try addVersion(addition.content, to: connection.lastInsertRowID, ordinal: 0, at: date)
        if addition.resourceType.isOfEdit {
            try connection.run("UPDATE asset SET modificationDate = ? WHERE id = ?", .date(date), .integer(asset))
        }
        try wantFacts(of: asset)
        try renewSmartAlbums(of: addition.localIdentifier)
        return true
    }

    /// In two steps, so that two can change places.
    func arrange(_ arrangement: ResourceArrangement) throws -> Bool {
        let asset = try rowID(asset: arrangement.localIdentifier)
        var changed = false
        var changes: [(id: Int64, type: ResourceType)] = []
        for role in arrangement.roles {
            guard let resource = try resource(of: asset, having: role.hash) else {
                throw LibraryError.noSuchResource(arrangement.localIdentifier)
            }
            if resource.type != role.type.rawValue { changes.append((resource.id, role.type)) }
        }
        for change in changes {
            try connection.run("UPDATE resource SET type = -id WHERE id = ?", .integer(change.id))
        }
        for change in changes {
            try connection.run(
                "UPDATE resource SET type = ? WHERE id = ?", .integer(Int64(change.type.rawValue)), .integer(change.id))
            changed = true
        }
        try connection.run(
            "UPDATE asset SET mediaType = ?1 WHERE id = ?2 AND mediaType <> ?1",
            .text(arrangement.mediaType.rawValue), .integer(asset))
        changed = connection.changes > 0 || changed
        if changed {
            try wantFacts(of: asset)
            try renewSmartAlbums(of: arrangement.localIdentifier)
        }
        return changed
    }

    private func resource(of asset: Int64, having hash: ContentHash) throws -> (id: Int64, type: Int)? {
        try connection.first(
            """
            SELECT resource.id, type FROM version JOIN resource ON resource.id = version.resource
            WHERE version.hash = ? AND resource.asset = ? ORDER BY resource.id LIMIT 1
            """, .blob(hash.bytes), .integer(asset)
        ) { ($0.integer(0), $0.int(1)) }
    }
}
