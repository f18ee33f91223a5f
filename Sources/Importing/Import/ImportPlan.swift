package import PhotoModel

/// What is known when a staged source is decided on.
package struct ImportFacts: Sendable {
    package var evidence: SourceEvidence
    package var resourceType: ResourceType
    /// What the catalogue has for this very path.
    package var known: Source?
    /// The resource types of the asset that `known` maps to.
    package var knownTypes: [ResourceType]
    /// The asset that has these bytes.
    package var owner: LocalIdentifier?
    /// Sources of the owner that are not at their path any more: where this file, or its like, has been.
    package var vacated: [Source]

    package init(
        evidence: SourceEvidence, resourceType: ResourceType, known: Source?, knownTypes: [ResourceType],
        owner: LocalIdentifier?, vacated: [Source]
    ) {
        self.evidence = evidence
        self.resourceType = resourceType
        self.known = known
        self.knownTypes = knownTypes
        self.owner = owner
        self.vacated = vacated
    }
}

/// What a staged source is: decided from facts alone.
package enum ImportDecision: Sendable, Equatable {
    /// Nobody has these bytes. `replacing` is the asset that the path was mapped to, and which stays.
    case create(replacing: LocalIdentifier?)
    /// The same photograph with other bytes (RULES R19).
    case edit(LocalIdentifier)
    /// It is the asset that the path is mapped to already.
    case keep(LocalIdentifier)
    /// The file was renamed, or copied and deleted: its mapping moves here.
    case move(LocalIdentifier, from: [SourceKey])
    /// The same bytes once more: the source joins the asset.
    case join(LocalIdentifier)
}

/// Decides which asset a staged source belongs to (RULES R5, R19, R29, R30).
package func decideImport(_ facts: ImportFacts) -> ImportDecision {
    let mapped = facts.known?.localIdentifier
    if let owner = facts.owner {
        if owner == mapped { return .keep(owner) }
        return facts.vacated.isEmpty ? .join(owner) : .move(owner, from: facts.vacated.map(\.key))
    }
    guard let mapped, let before = facts.known?.evidence else { return .create(replacing: mapped) }
    // Before metadata is read, only the same file rewritten in place counts as the same photograph.
    let isSamePhotograph = before.isSameFile(as: facts.evidence) && facts.knownTypes.contains(facts.resourceType)
    return isSamePhotograph ? .edit(mapped) : .create(replacing: mapped)
}
