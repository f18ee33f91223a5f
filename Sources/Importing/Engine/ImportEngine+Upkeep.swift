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
            try library.directory.requireInPlace(machine.files)
            owesRemovals = true
            var purged = 0
            // A disk that refuses takes no purge now, and no harm is done: the next hour comes.
            _ = try unlessRefused { purged = try library.onThread { try $0.keepTime() } }
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
        for folder in folders.values {
            guard let uuid = folder.registration?.folder else { continue }
            let sources = try reader.sourcesOfDeletedAssets(in: uuid, limit: 1000)
            if folder.rule.onAssetDeleted == .keep {
                try keep(sources)
            } else if folder.standing == .online {
                try removeSources(sources, roots: &roots)
            }
        }
    }

    /// The rule is another one now: what has not gone stays, whatever it will be.
    private func keep(_ sources: [Source]) throws {
        let kept = sources.map { source in
            var source = source
            source.reason = .sameContent
            return source
        }
        _ = try record(kept)
    }
}
