import PhotoModel
import PhotoStore

/// What the catalogue knows of a file that is to be decided on; for the import and for the plan of one.
extension Catalogue {
    /// `isVacant` says whether a source's file is no longer at its path, `isSamePhotograph` whether the new bytes show what
    /// the known ones of a source show, where that is known.
    func importFacts(
        of key: SourceKey, _ evidence: SourceEvidence, _ hash: ContentHash, _ type: ResourceType,
        isVacant: (Source) throws -> Bool, isSamePhotograph: (Source) throws -> Bool? = { _ in nil }
    ) throws -> ImportFacts {
        func hasLeft(_ source: Source) throws -> Bool { try source.key != key && !source.isRemoved && isVacant(source) }
        let owner = try assetHaving(hash)
        func known(_ source: Source) throws -> KnownSource {
            try self.known(source, isSamePhotograph: owner == nil ? isSamePhotograph(source) : nil)
        }
        let asset = try owner.flatMap { try self.asset($0) }
        // Of an asset of several files those of this very one: the movie's are not where the picture was.
        let siblings = try owner.map { try sources(of: $0) }?.filter { asset?.areAlike($0, hash) ?? true } ?? []
        let former = try owner == nil ? mappedSource(ofFile: evidence, besides: key) : nil
        var facts = ImportFacts(
            evidence: evidence, resourceType: type, known: try source(key).map { try known($0) },
            former: try former.map { try known($0) }, hasLeftFormer: try former.map(hasLeft) ?? true, owner: owner,
            trashReason: asset?.trashing?.reason,
            isOwnersFile: siblings.contains { $0.evidence?.isSameFile(as: evidence) == true },
            putBack: siblings.first {
                $0.reason == .putBack && $0.evidence?.hash == hash && $0.evidence?.isSameFile(as: evidence) == true
            },
            // What was erased with a release keeps its row: a file with other bytes of the photo does not take its place.
            vacated: try siblings.filter { try hasLeft($0) && (!$0.isReleased || $0.evidence?.hash == hash) })
        facts.isPrimary = asset?.resources.first?.has(hash) ?? true
        return facts
    }

    /// The newest: of two names of a rewritten file either may have been looked at first.
    private func mappedSource(ofFile evidence: SourceEvidence, besides key: SourceKey) throws -> Source? {
        try mappedSources(inode: evidence.inode).last {
            $0.key != key && !$0.isRemoved && $0.evidence?.isSurelySameFile(as: evidence) == true
        }
    }

    private func known(_ source: Source, isSamePhotograph: Bool?) throws -> KnownSource {
        let asset = try source.localIdentifier.flatMap { try self.asset($0) }
        let types = asset?.mediaType == .unknown ? ResourceType.allCases : asset.map { source.types(in: $0) }
        return KnownSource(
            source: source, types: types ?? [], state: asset?.state ?? .purged,
            isSamePhotograph: isSamePhotograph)
    }
}

extension Asset {
    /// Whether a source had a content of the resource that has these bytes.
    fileprivate func areAlike(_ source: Source, _ hash: ContentHash) -> Bool {
        guard resources.count > 1, let theirs = source.evidence?.hash else { return true }
        return resources.contains { $0.has(hash) && $0.has(theirs) }
    }
}

extension Source {
    /// What newer bytes of this file can be for an edit: of its own resource what came to it as a photo stays one.
    fileprivate func types(in asset: Asset) -> [ResourceType] {
        let own = asset.resources.filter { resource in evidence?.hash.map(resource.has) == true }
        return (own.isEmpty ? asset.resources : own).compactMap { resource in
            resource.type.mediaType.map { $0 == .video ? .video : .photo }
        }
    }
}
