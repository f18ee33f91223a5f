package import PhotoModel
package import PhotoStore

/// Originals that lie in the store and that nothing in the catalogue names.
///
/// A change that is lost named them: no rule, and no command but one that makes photos of them, does anything with them.
extension CloudTier {
    /// An object below an original's key.
    package struct UnclaimedOriginal: Sendable, Hashable {
        package let hash: ContentHash
        package let byteCount: Int64
    }

    /// Looks through all that the store lists; `isUnclaimed` says of an original whether nothing names it.
    ///
    /// Ends where `tell` says no.
    package func unclaimed(
        _ isUnclaimed: ([ContentHash]) throws -> Set<ContentHash>, _ tell: (UnclaimedOriginal) throws -> Bool
    ) throws {
        var last: ObjectKey?
        while true {
            let page = try asking { [last] () throws(ObjectStoreError) in try store.list("", after: last, limit: 1000) }
            guard let end = page.last else { return }
            last = end.key
            let found = page.compactMap { facts in
                facts.key.originalHash.map { UnclaimedOriginal(hash: $0, byteCount: facts.byteCount) }
            }
            let unclaimed = try isUnclaimed(found.map(\.hash))
            for original in found where unclaimed.contains(original.hash) {
                guard try tell(original) else { return }
            }
        }
    }

    /// The bytes of one, proven, in a staged file that is gone when it is let go.
    package func bytes(
        of original: UnclaimedOriginal, progress: (Int64) -> Bool = { _ in true }
    ) throws -> StagedFile {
        try copy(
            of: Content(
                hash: original.hash, byteCount: original.byteCount, contentType: "application/octet-stream",
                fileExtension: "bin"), progress: progress)
    }
}
