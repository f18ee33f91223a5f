package import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading what lies near a file: what may be a part of the same asset.
extension Catalogue {
    /// The sources of a folder from one path on, up to another and without it, in the order of their paths.
    package func sources(in folder: UUID, from start: PathBytes, below end: PathBytes, limit: Int) throws -> [Source] {
        try connection.all(
            Self.sourceColumns
                + """
                WHERE source.folder = (SELECT id FROM folder WHERE uuid = ?) AND source.path >= ? AND source.path < ?
                ORDER BY source.path LIMIT ?
                """, .uuid(folder), .blob(start.bytes), .blob(end.bytes), .integer(Int64(limit))
        ) { try Self.source($0) }
    }

    /// The live assets of one burst with the names they came with, in the order of their capture.
    package func assets(
        havingBurstIdentifier identifier: String
    ) throws -> [(asset: LocalIdentifier, filename: PathBytes)] {
        try connection.all(
            """
            SELECT asset.uuid, (SELECT originalFilename FROM resource WHERE asset = assetFacts.asset ORDER BY type LIMIT 1)
            FROM assetFacts JOIN asset ON asset.id = assetFacts.asset
            WHERE burstIdentifier = ? AND state = 'live' ORDER BY creationDate, asset.id
            """, .text(identifier)
        ) { (LocalIdentifier(try $0.uuid(0)), PathBytes($0.blob(1))) }
    }

    /// Live assets whose own file carries this identifier of a Live Photo, oldest first.
    package func assets(havingContentIdentifier identifier: String, limit: Int) throws -> [LocalIdentifier] {
        try connection.all(
            """
            SELECT asset.uuid FROM assetFacts JOIN asset ON asset.id = assetFacts.asset
            WHERE contentIdentifier = ? AND state = 'live' ORDER BY asset.id LIMIT ?
            """, .text(identifier), .integer(Int64(limit))
        ) { LocalIdentifier(try $0.uuid(0)) }
    }
}
