package import FoundationEssentials

/// What is known of an asset by one content, and the creation date that follows from it.
///
/// The date stands here as it was concluded, so that the journal gives it again without the bytes.
package struct FactsChange: Hashable, Sendable, Codable {
    package var localIdentifier: LocalIdentifier
    /// The content that was read: the current one, when it was.
    package var hash: ContentHash
    package var facts: AssetFacts
    package var creationDate: Date
    package var creationDateSource: CreationDateSource

    /// The asset has this date until now.
    ///
    /// What a caller gave is never overwritten; what no file says leaves the date as it is.
    package init(
        of localIdentifier: LocalIdentifier, hash: ContentHash, facts: AssetFacts, creationDate: Date,
        creationDateSource: CreationDateSource
    ) {
        self.localIdentifier = localIdentifier
        self.hash = hash
        self.facts = facts
        (self.creationDate, self.creationDateSource) = (creationDate, creationDateSource)
        guard creationDateSource != .given, let captured = facts.captureDate, captured.source != .modificationDate
        else { return }
        (self.creationDate, self.creationDateSource) = (captured.creationDate, .captured)
    }
}
