/// The named points at which a crash must leave the library whole.
///
/// Every one is used by a crash test.
///
/// In the order in which an import passes them.
package enum Milestone: String, CaseIterable, Sendable {
    case candidateSettled
    case sourceOpened
    case stagedHalf
    case staged
    case batchStaged
    case renamedIntoOriginals
    case originalsDurable
    case beforeCatalogueCommit
    case afterCatalogueCommit
    case beforeSourceRemoval
    case afterSourceRemoval
    case journalHalfLine
    case journalAppended
    case uploadStaged
    case putBackNoted
    case putBackBegun
    case putBackCopied
    case sourcePutBack
    case purgeCommitted
    case uploadBegun
    case objectStored
    case evictionCommitted
    case downloadBegun
    case downloadStaged
    case objectDeleted
    case recoverySwept
    case catalogueRebuilt
    case catalogueSetAside
    case catalogueReplaced
}
