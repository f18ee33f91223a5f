package import FoundationEssentials
package import PhotoModel
package import PhotoStore
import Platform

/// One batch of staged sources on the library's thread: publish what is new, then one change for all of them.
package struct ImportCommit: Sendable {
    /// The album rules by folder.
    let albumRules: [UUID: AlbumRule]
    /// The folders whose files albumd removes itself, once they are imported.
    let movingFolders: Set<UUID>
    /// Whether a source's file is no longer at its path, in a folder that is online.
    let isVacant: @Sendable (Source) -> Bool
    /// Which date new photos have, by folder, where it is not when they were taken.
    let creationDates: [UUID: FolderRule.CreationDate]
    let makeUUID: @Sendable () -> UUID

    package init(
        albumRules: [UUID: AlbumRule], movingFolders: Set<UUID>, isVacant: @escaping @Sendable (Source) -> Bool,
        creationDates: [UUID: FolderRule.CreationDate] = [:], makeUUID: @escaping @Sendable () -> UUID
    ) {
        self.albumRules = albumRules
        self.movingFolders = movingFolders
        self.isVacant = isVacant
        self.creationDates = creationDates
        self.makeUUID = makeUUID
    }

    /// Decides and performs each of a batch, in order, within one change; the outcomes in the same order, each with the
    /// sources whose mapping moved there.
    package func perform(
        _ batch: [(source: StagedSource, story: String)], in change: inout Change
    ) throws -> [(source: Source, former: [SourceKey])] {
        try batch.map { item in
            let outcome = try perform(item.source, in: &change)
            change.tell(item.story + "; " + summary(of: outcome.source), of: outcome.source.key)
            return outcome
        }
    }

    private func summary(of source: Source) -> String {
        let asset = source.localIdentifier.map { " as \($0)" } ?? ""
        return "\(source.outcome.rawValue) (\(source.reason.rawValue))\(asset)"
    }

    private func perform(
        _ item: StagedSource, in change: inout Change
    ) throws -> (source: Source, former: [SourceKey]) {
        guard let rule = albumRules[item.key.folder] else { throw LibraryError.noSuchFolder(item.key.folder) }
        let directory = rule.directory(of: item.key.path)
        if case .hold(let reason, let detail) = try rule.target(for: directory, in: change.catalogue) {
            let source = Source(
                key: item.key, outcome: .blocked, reason: reason, detail: detail, evidence: item.evidence)
            try change.record(source)
            return (source, [])
        }
        let facts = try change.catalogue.importFacts(
            of: item.key, item.evidence, item.staged.content.hash, item.resourceType, isVacant: isVacant)
        let decision = decideImport(facts)
        let source = try apply(decision, to: item, in: &change)
        try file(source, directory: directory, rule: rule, decision: decision, in: &change)
        return (source, decision.former)
    }

    private func apply(_ decision: ImportDecision, to item: StagedSource, in change: inout Change) throws -> Source {
        let before = try ([item.key] + decision.former).compactMap { try change.catalogue.source($0) }
        switch decision {
        case .create(let replaced):
            let identifier = LocalIdentifier(makeUUID())
            try change.perform(.createAsset(creation(of: item, as: identifier, at: change.date)))
            let reason: Reason = replaced == nil ? .newContent : .sourceReplaced
            return try record(item, identifier, .imported, reason, before, in: &change)
        case .edit(let identifier, let former):
            try forget(former, movedTo: item.key, in: &change)
            try addVersion(of: item, to: identifier, as: item.resourceType, in: &change)
            return try record(item, identifier, .updated, .edited, before, in: &change)
        case .keep(let identifier):
            return try keep(item, identifier, before, in: &change)
        case .move(let identifier, let former):
            try forget(former, movedTo: item.key, in: &change)
            return try record(item, identifier, .imported, .moved, before, in: &change)
        case .join(let identifier):
            return try record(item, identifier, .duplicate, .sameContent, before, in: &change)
        case .restore(let identifier, let former):
            try forget(former, movedTo: item.key, in: &change)
            try change.restore([identifier])
            return try record(item, identifier, .restored, .returned, before, in: &change)
        case .stayDeleted(let identifier, let former):
            try forget(former, movedTo: item.key, in: &change)
            return try record(item, identifier, .skipped, .deleted, before, in: &change)
        case .stayPutBack(let identifier, let former):
            try forget(former, movedTo: item.key, in: &change)
            return try record(item, identifier, .skipped, .putBack, before, in: &change)
        }
    }

    /// The path has bytes that its asset had before: the evidence is new, and an older content may be current again.
    private func keep(
        _ item: StagedSource, _ identifier: LocalIdentifier, _ before: [Source], in change: inout Change
    ) throws -> Source {
        let known = try change.catalogue.source(item.key)
        let resources = try change.catalogue.asset(identifier)?.resources ?? []
        let resource = resources.first { $0.type == item.resourceType } ?? resources.first
        guard let resource, resource.versions.last?.content.hash != item.staged.content.hash,
            known?.evidence?.hash != item.staged.content.hash
        else {
            // What could not be read for a while is what it was before.
            let mapped = known.flatMap { $0.outcome.isMapped ? $0 : nil }
            return try record(
                item, identifier, mapped?.outcome ?? .imported, mapped?.reason ?? .sameContent, before, in: &change)
        }
        try addVersion(of: item, to: identifier, as: resource.type, in: &change)
        return try record(item, identifier, .updated, .edited, before, in: &change)
    }

    private func forget(_ former: [SourceKey], movedTo key: SourceKey, in change: inout Change) throws {
        for old in former {
            try change.perform(.forgetSource(old))
        }
        try change.tellMove(from: former, to: key)
    }

    private func addVersion(
        of item: StagedSource, to identifier: LocalIdentifier, as type: ResourceType, in change: inout Change
    ) throws {
        let addition = VersionAddition(
            localIdentifier: identifier, resourceType: type, content: item.staged.content)
        try change.perform(.addVersion(addition))
    }

    /// A date that the folder's rule decides is given: what the bytes say later does not change it.
    private func creation(
        of item: StagedSource, as identifier: LocalIdentifier, at now: Date
    ) -> AssetCreation {
        let wanted = creationDates[item.key.folder] ?? .capture
        return AssetCreation(
            localIdentifier: identifier, mediaType: item.mediaType,
            creationDate: wanted == .now ? now : Date(microseconds: item.evidence.modified / 1000),
            creationDateSource: wanted == .capture ? .modified : .given, resourceType: item.resourceType,
            originalFilename: item.key.path.name, content: item.staged.content)
    }

    /// `before` are the rows of the path, and of those that the file comes from.
    private func record(
        _ item: StagedSource, _ identifier: LocalIdentifier, _ outcome: Outcome, _ reason: Reason, _ before: [Source],
        in change: inout Change
    ) throws -> Source {
        // A release is about the bytes, not about a name, a new time or a mode; what albumd will remove has one.
        let isReleased =
            outcome.isMapped && movingFolders.contains(item.key.folder)
            || before.contains { $0.isReleased && $0.evidence?.hash == item.evidence.hash }
        let source = Source(
            key: item.key, localIdentifier: identifier, outcome: outcome, reason: reason, evidence: item.evidence,
            isReleased: isReleased)
        try change.perform(.recordSource(source))
        return source
    }

    /// Puts the asset into the folder's album; a moved one leaves the album of where it was, unless a person put it
    /// there or another source keeps it there.
    private func file(
        _ source: Source, directory: PathBytes, rule: AlbumRule, decision: ImportDecision, in change: inout Change
    ) throws {
        guard let asset = source.localIdentifier, source.outcome.isMapped else { return }
        let make = { LocalIdentifier(makeUUID()) }
        guard let album = try rule.ensureAlbum(for: directory, in: &change, makeIdentifier: make) else { return }
        try change.perform(.addAssets(AlbumAddition(album: album, assets: [asset], addedBy: .folder)))
        let former = decision.former
        guard !former.isEmpty else { return }
        let kept = Set(
            try change.catalogue.sources(of: asset).compactMap { try self.album(of: $0.key, in: change.catalogue) })
        for old in Set(try former.compactMap { try self.album(of: $0, in: change.catalogue) }) where !kept.contains(old)
        {
            try change.perform(.removeAssets(AlbumRemoval(album: old, assets: [asset], removedBy: .folder)))
        }
    }

    /// The album that a source's folder has; nil where it has none, or where that is gone.
    private func album(of key: SourceKey, in catalogue: Catalogue) throws -> LocalIdentifier? {
        guard let rule = albumRules[key.folder],
            let bound = try catalogue.albumBinding(folder: key.folder, directory: rule.directory(of: key.path))?.album
        else { return nil }
        return try catalogue.hasAlbum(bound) ? bound : nil
    }
}

extension StagedSource {
    /// Which resource of an asset these bytes are.
    var resourceType: ResourceType { mediaType == .video ? .video : .photo }
}
