package import PhotoModel

/// What is known when a staged source is decided on.
package struct ImportFacts: Sendable {
    package var evidence: SourceEvidence
    package var resourceType: ResourceType
    /// What the catalogue has for this very path.
    package var known: KnownSource?
    /// What it has for this very file at another path.
    package var former: KnownSource?
    /// Whether the file has left that path; else both are names of it.
    package var hasLeftFormer: Bool
    /// The asset, live or in Recently Deleted, that has these bytes.
    package var owner: LocalIdentifier?
    /// Why the owner is in Recently Deleted, where it is.
    package var trashReason: TrashReason?
    /// Whether these bytes are what the owner is shown by; false for a movie or a sidecar of it.
    package var isPrimary = true
    /// Whether this very file was a source of the owner, at whatever path.
    package var isOwnersFile: Bool
    /// This very file, where an undo has put it back.
    package var putBack: Source?
    /// Sources of the owner that are not at their path any more: where this file, or its like, has been.
    package var vacated: [Source]

    package init(
        evidence: SourceEvidence, resourceType: ResourceType, known: KnownSource?, former: KnownSource?,
        hasLeftFormer: Bool = true, owner: LocalIdentifier?, trashReason: TrashReason? = nil,
        isOwnersFile: Bool = false, putBack: Source? = nil, vacated: [Source]
    ) {
        self.putBack = putBack
        self.trashReason = trashReason
        self.isOwnersFile = isOwnersFile
        self.evidence = evidence
        self.resourceType = resourceType
        self.known = known
        self.former = former
        self.hasLeftFormer = hasLeftFormer
        self.owner = owner
        self.vacated = vacated
    }
}

/// A source, and what is needed to know of the asset that it is mapped to.
package struct KnownSource: Sendable {
    package var source: Source
    /// The resources that the asset has; every type where nothing knows its bytes, for it may turn out to be either.
    package var types: [ResourceType]
    package var state: AssetState
    /// Whether the new bytes show what its own show, by capture date and camera; nil where that is not known.
    package var isSamePhotograph: Bool?

    package init(
        source: Source, types: [ResourceType], state: AssetState = .live, isSamePhotograph: Bool? = nil
    ) {
        self.source = source
        self.types = types
        self.state = state
        self.isSamePhotograph = isSamePhotograph
    }
}

/// What a staged source is: decided from facts alone.
package enum ImportDecision: Sendable, Equatable {
    /// Nobody has these bytes. `replacing` is the asset that the path was mapped to, and which stays.
    case create(replacing: LocalIdentifier?)
    /// The same photograph with other bytes (RULES R19); its file may have been renamed as well.
    case edit(LocalIdentifier, from: [SourceKey])
    /// It is the asset that the path is mapped to already.
    case keep(LocalIdentifier)
    /// The file was renamed, or copied and deleted: its mapping moves here.
    case move(LocalIdentifier, from: [SourceKey])
    /// The same bytes once more: the source joins the asset.
    case join(LocalIdentifier)
    /// The bytes of an asset in Recently Deleted have come anew, or its deleted source is back: it is live again.
    case restore(LocalIdentifier, from: [SourceKey])
    /// A source of an asset that was deleted for good: it does not bring the asset back (RULES R36).
    case stayDeleted(LocalIdentifier, from: [SourceKey])
    /// An undo has put the file back, with these bytes: it is not imported again, however it is renamed or touched.
    case stayPutBack(LocalIdentifier, from: [SourceKey])

    /// The sources that the mapping leaves.
    package var former: [SourceKey] {
        switch self {
        case .move(_, let former), .edit(_, let former), .restore(_, let former), .stayDeleted(_, let former),
            .stayPutBack(_, let former):
            former
        case .create, .keep, .join: []
        }
    }
}

/// Decides which asset a staged source belongs to (RULES R5, R19, R29, R30, R36).
package func decideImport(_ facts: ImportFacts) -> ImportDecision {
    let mapped = facts.known?.source.localIdentifier
    if let owner = facts.owner {
        if let putBack = facts.putBack {
            let hasLeft = facts.vacated.contains { $0.key == putBack.key }
            return .stayPutBack(owner, from: hasLeft ? [putBack.key] : [])
        }
        // A source of an asset that a person deleted stays one, wherever it is, and brings nothing back (RULES R36).
        // Nor does what is left of its other files, where it went with the one that it is shown by.
        if let reason = facts.trashReason, reason.followsSource && facts.isPrimary || !facts.isOwnersFile {
            return .restore(owner, from: facts.vacated.map(\.key))
        }
        if owner == mapped { return .keep(owner) }
        return facts.vacated.isEmpty ? .join(owner) : .move(owner, from: facts.vacated.map(\.key))
    }
    if let purged = facts.known?.purgedAsset(havingHad: facts) { return .stayDeleted(purged, from: []) }
    if let former = facts.former, let purged = former.purgedAsset(havingHad: facts) {
        return .stayDeleted(purged, from: facts.hasLeftFormer ? [former.source.key] : [])
    }
    if let known = facts.known, let asset = known.asset(rewrittenAs: facts) { return .edit(asset, from: []) }
    if let former = facts.former, let asset = former.asset(rewrittenAs: facts) {
        return .edit(asset, from: facts.hasLeftFormer ? [former.source.key] : [])
    }
    return .create(replacing: mapped)
}

extension KnownSource {
    /// The asset, where the new bytes are the same photograph's (RULES R19).
    ///
    /// Where capture date and camera do not say so, only the same file rewritten in place counts as such.
    fileprivate func asset(rewrittenAs facts: ImportFacts) -> LocalIdentifier? {
        guard state == .live, let before = source.evidence, types.contains(facts.resourceType),
            isSamePhotograph ?? before.isSameFile(as: facts.evidence)
        else { return nil }
        return source.localIdentifier
    }

    /// The asset that was deleted for good, where this is its file with the bytes that it had.
    ///
    /// It may have been moved away and back, as long as it is that file beyond doubt.
    fileprivate func purgedAsset(havingHad facts: ImportFacts) -> LocalIdentifier? {
        guard state == .purged, !source.isRemoved, let before = source.evidence, before.isSameFile(as: facts.evidence),
            before.hash == facts.evidence.hash, source.isPresent || before.isSurelySameFile(as: facts.evidence)
        else { return nil }
        return source.localIdentifier
    }
}
