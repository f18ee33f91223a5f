package import PhotoModel

/// What an undo does about the files that albumd had removed.
package struct FilesBack: Sendable {
    /// Whether they are to be put back.
    package var isAsked: Bool
    /// Those that could not be put back: the photo of one does not go to Recently Deleted, where it would be all that is
    /// left of it.
    package var failed: Set<SourceKey>

    package init(isAsked: Bool = false, failed: Set<SourceKey> = []) {
        self.isAsked = isAsked
        self.failed = failed
    }
}
