package import FoundationEssentials
package import PhotoModel
import SQLite

/// What a person is told of deletions: counts, what a purge frees, and an asset's story.
extension Catalogue {
    package func purgedCount() throws -> Int {
        try remembered(.purged) {
            try connection.first("SELECT count(*) FROM asset WHERE state = 'purged'") { Int($0.integer(0)) } ?? 0
        }
    }

    /// Bytes that no asset but these has, and that are on the disk as far as `isStored` says, or in the cloud.
    package func byteCounts(
        heldByNoneBut assets: Set<LocalIdentifier>, isStored: (Content) -> Bool
    ) throws -> (onDisk: Int64, inCloud: Int64) {
        var versions: [ContentHash: Version] = [:]
        for asset in assets {
            for version in try self.asset(asset)?.resources.flatMap(\.versions) ?? [] {
                versions[version.content.hash] = version
            }
        }
        var bytes: (onDisk: Int64, inCloud: Int64) = (0, 0)
        for (hash, version) in versions where try holders(of: hash).isSubset(of: assets) {
            let byteCount = version.content.byteCount
            if version.residency != .inCloud, isStored(version.content) { bytes.onDisk += byteCount }
            // What is on its way there arrives; of an earlier purge the object may be there still.
            let isThere =
                try version.residency != .local || [.uploading, .verifying].contains(version.transfer)
                || purge(ofObject: hash) != nil
            if isThere, !version.isLost { bytes.inCloud += byteCount }
        }
        return bytes
    }

    private func holders(of hash: ContentHash) throws -> Set<LocalIdentifier> {
        Set(
            try connection.all(
                """
                SELECT asset.uuid FROM version JOIN resource ON resource.id = version.resource
                JOIN asset ON asset.id = resource.asset WHERE version.hash = ?
                """, .blob(hash.bytes)
            ) { LocalIdentifier(try $0.uuid(0)) })
    }

    /// The changes that deleted, restored or purged an asset, oldest first, each with who asked for it.
    ///
    /// Reads the whole history: LIKE, which takes a fifth of the time of instr there, is only to find what to look at.
    package func deletions(of asset: LocalIdentifier) throws -> [Deletion] {
        let lines = try connection.all(
            """
            SELECT date, origin, changes FROM history WHERE changes LIKE ?
                AND (changes LIKE '%"trashAssets"%' OR changes LIKE '%"restoreAssets"%'
                    OR changes LIKE '%"purgeAsset"%')
            ORDER BY token
            """, .text("%\(asset.uuid.uuidString)%")
        ) { (date: $0.date(0), origin: $0.text(1), changes: $0.text(2)) }
        return try lines.flatMap { line in
            try changeRequests(fromHistory: line.changes).filter { $0.deletes(asset) }
                .map { Deletion(date: line.date, origin: line.origin, request: $0) }
        }
    }
}

/// A request of the history that deleted, restored or purged an asset.
package struct Deletion: Sendable {
    package var date: Date
    /// Who asked: `import`, `retention`, or `api uid N`.
    package var origin: String
    package var request: ChangeRequest
}

extension ChangeRequest {
    fileprivate func deletes(_ asset: LocalIdentifier) -> Bool {
        switch self {
        case .trashAssets(let trashing): trashing.assets.contains(asset)
        case .restoreAssets(let restoring): restoring.assets.contains(asset)
        case .purgeAsset(let purge): purge.localIdentifier == asset
        default: false
        }
    }
}
