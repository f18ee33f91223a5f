import FoundationEssentials
package import PhotoModel

/// What reaches the engine from outside.
///
/// In the daemon a mailbox brings it, in a simulation the test.
package enum EngineEvent: Sendable {
    case watch([WatchSignal])
    /// The rules in force from now on; roots are resolved. Folders that are not named are let go.
    case setFolders([FolderRule])
    /// A full scan of one folder or of all; answered when it is done.
    case scan(PathBytes?, @Sendable ([FolderStatus]) -> Void)
    /// Answered when everything that happened before has an outcome or waits for something else than settling; with
    /// nil when the uptime `deadline` came first.
    case flush(name: [UInt8], deadline: Duration, @Sendable (FlushReport?) -> Void)
    /// Look again now: one source, or all that wait.
    case retry(SourceKey?, @Sendable (Int) -> Void)
    /// A person says that the folder at this path is right as it is now (RULES R32).
    case confirm(PathBytes, @Sendable (Result<FolderStatus, EngineError>) -> Void)
    /// A person says that a held deletion is meant; answered with how many assets were trashed (RULES R34).
    case confirmDeletion(token: String, @Sendable (Result<Int, EngineError>) -> Void)
    /// A person wants the bytes of removed sources back at their paths.
    case putBack([Source], isDryRun: Bool, @Sendable ([PutBack]) -> Void)
    /// A person deleted assets: their sources are removed where the rule says so.
    case assetsDeleted
    /// Assets came back out of Recently Deleted: sidecars that came meanwhile are looked at again.
    case assetsRestored([LocalIdentifier])
    /// What waited for the check of the catalogue can be done now.
    case catalogueChecked
}

/// What a flush found when it ended.
package struct FlushReport: Sendable, Equatable {
    /// Files that still wait, by reason: candidates, none of which settles, and what the catalogue has as blocked or
    /// failed; each once.
    package var waiting: [Reason: Int]
    /// Folders that are not watched and not scanned now: nothing is known of them.
    package var offline: [PathBytes]
}

/// What the engine refuses.
package enum EngineError: Error, Sendable, Equatable {
    case noSuchFolder(PathBytes)
    case folderOffline(String)
    case noSuchToken
    /// The token was one of this folder's, of which it is not known yet what went before the start.
    case notLookedThrough(PathBytes)
    /// The token's list is another now; its token, nil where nothing is left of it.
    case listChanged(String?)
}

/// The watcher, as the engine sees it.
package struct WatchPort: Sendable {
    package var addFolder:
        @Sendable (_ id: Int64, _ root: [UInt8], _ ignoring: @escaping @Sendable ([UInt8]) -> Bool) -> Void
    package var removeFolder: @Sendable (Int64) -> Void
    package var dropCookie: @Sendable ([UInt8]) -> Void

    package init(
        addFolder: @escaping @Sendable (Int64, [UInt8], @escaping @Sendable ([UInt8]) -> Bool) -> Void,
        removeFolder: @escaping @Sendable (Int64) -> Void, dropCookie: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.addFolder = addFolder
        self.removeFolder = removeFolder
        self.dropCookie = dropCookie
    }
}
