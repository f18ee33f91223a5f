import PhotoModel
import PhotoStore
import Platform

/// What is done now and then: time in Recently Deleted, and the sources of assets that a person deleted.
extension ImportEngine {
    private static let upkeepInterval = Duration.seconds(3600)

    func keepUp() throws {
        let now = machine.uptime()
        if nextUpkeep <= now {
            nextUpkeep = now + ImportEngine.upkeepInterval
            owesRemovals = true
            // A full disk takes no purge now, and no harm is done: the next hour comes.
            let purged = try unlessFull { try library.onThread { try $0.keepTime() } } ?? 0
            if purged > 0 { nextUpkeep = now }
        }
        if owesRemovals {
            owesRemovals = false
            try removeSourcesOfDeletedAssets()
        }
    }

    /// `on_asset_deleted = "remove"`: under the same checks as in move mode (RULES R15).
    private func removeSourcesOfDeletedAssets() throws {
        var roots = RootsOfStep(self)
        for folder in folders.values where folder.rule.onAssetDeleted == .remove && folder.standing == .online {
            guard let uuid = folder.registration?.folder else { continue }
            try removeSources(reader.sourcesOfDeletedAssets(in: uuid, limit: 1000), roots: &roots)
        }
    }

    private func unlessFull<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch  where PhotoLibrary.isFull(error) {
            return nil
        }
    }
}
