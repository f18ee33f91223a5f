package import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading Recently Deleted, and what purges have left to do.
extension Catalogue {
    /// A page of Recently Deleted, oldest arrival in the library first.
    package func trashedAssets(after cursor: Int64, limit: Int) throws -> Page<Asset> {
        let rows = try connection.all(
            Self.assetColumns("id") + "FROM asset WHERE id > ? AND state = 'trashed' ORDER BY id LIMIT ?",
            .integer(cursor), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit)
    }

    package func trashedCount() throws -> Int {
        try connection.first("SELECT count(*) FROM asset WHERE state = 'trashed'") { Int($0.integer(0)) } ?? 0
    }

    /// Trashed assets whose time began before both bounds, oldest first.
    package func expiredAssets(trashedBefore date: Date, runningBefore seconds: Int64, limit: Int) throws -> [Asset] {
        let rows = try connection.all(
            Self.assetColumns("id") + """
                FROM asset WHERE state = 'trashed' AND trashedDate <= ? AND trashRunningSeconds <= ?
                ORDER BY trashedDate LIMIT ?
                """, .date(date), .integer(seconds), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit + 1).rows
    }

    /// The assets that will be purged next, those trashed on the first day of any: how the first was dated, and how many
    /// they are; nil where there are none.
    package func nextExpiry() throws -> (first: (date: Date, runningSeconds: Int64), count: Int)? {
        let first = try connection.first(
            """
            SELECT trashedDate, trashRunningSeconds FROM asset WHERE state = 'trashed' ORDER BY trashedDate LIMIT 1
            """
        ) { (date: $0.date(0), runningSeconds: $0.integer(1)) }
        guard let first else { return nil }
        let count = try connection.first(
            "SELECT count(*) FROM asset WHERE state = 'trashed' AND trashedDate < ?",
            .date(first.date.addingTimeInterval(86_400))
        ) { Int($0.integer(0)) }
        return (first, count ?? 0)
    }

    /// How many assets the deletion of sources of a folder has trashed since `date`, those a person confirmed left out.
    package func trashedCount(byFolder folder: UUID, since date: Date) throws -> Int {
        try connection.first(
            """
            SELECT count(*) FROM asset
            WHERE state = 'trashed' AND trashReason = 'sourceDeleted' AND trashFolder = ? AND trashedDate >= ?
            """, .uuid(folder), .date(date)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// How many sources of a folder are mapped and, as far as is known, there.
    package func presentSourceCount(in folder: UUID) throws -> Int {
        try connection.first(
            """
            SELECT count(*) FROM source
            WHERE folder = (SELECT id FROM folder WHERE uuid = ?) AND asset IS NOT NULL AND departedDate IS NULL
                AND isRemoved = 0
            """, .uuid(folder)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The mapped sources below a directory of a folder that are, as far as is known, there.
    package func presentSources(below directory: SourceKey, after path: PathBytes?, limit: Int) throws -> [Source] {
        let start = directory.path.bytes + [UInt8(ascii: "/")]
        let end = directory.path.bytes + [UInt8(ascii: "/") + 1]
        return try connection.all(
            Self.sourceColumns + """
                WHERE source.folder = (SELECT id FROM folder WHERE uuid = ?) AND source.path > ? AND source.path < ?
                    AND source.asset IS NOT NULL AND departedDate IS NULL AND isRemoved = 0
                ORDER BY source.path LIMIT ?
                """, .uuid(directory.folder), .blob(path?.bytes ?? start), .blob(end), .integer(Int64(limit))
        ) { try Self.source($0) }
    }

    /// The sources, still there, of assets that a person deleted while the folder's rule was to remove them.
    package func sourcesOfDeletedAssets(in folder: UUID, limit: Int) throws -> [Source] {
        // By the few that are trashed: a folder may have a million sources, and each start asks.
        try connection.all(
            Self.sourceColumns + """
                WHERE source.id IN (
                        SELECT own.id FROM asset AS gone CROSS JOIN source AS own ON own.asset = gone.id
                        WHERE gone.state = 'trashed' AND gone.trashReason = 'person')
                    AND +folder.uuid = ? AND source.reason = 'deleted' AND source.outcome <> 'skipped'
                    AND departedDate IS NULL AND isRemoved = 0
                ORDER BY source.id LIMIT ?
                """, .uuid(folder), .integer(Int64(limit))
        ) { try Self.source($0) }
    }

    /// Originals that a purge has left to be unlinked.
    package func unlinkWork() throws -> [(hash: ContentHash, fileExtension: String)] {
        try connection.all("SELECT hash, fileExtension FROM unlinkWork ORDER BY hash") { (try $0.hash(0), $0.text(1)) }
    }

    /// What purges have left to be unlinked is left there: after changes were made again, or rows were taken from a copy.
    ///
    /// Whether the bytes were taken in anew since then only what is lost would say. What a crash left of them is an orphan.
    func forgetUnlinkWork() throws {
        try connection.run("DELETE FROM unlinkWork")
    }

    /// Not a change of the library: the work of one that was committed is done.
    func finishUnlink(_ hash: ContentHash) throws {
        try connection.run("DELETE FROM unlinkWork WHERE hash = ?", .blob(hash.bytes))
    }
}
