package import FoundationEssentials
import Media
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
    /// What was read of the batch and of what lies beside it.
    let readings: KnownReadings
    /// Sidecars that have waited long enough for the file that they speak of.
    let impatient: Set<SourceKey>

    package init(
        albumRules: [UUID: AlbumRule], movingFolders: Set<UUID>, isVacant: @escaping @Sendable (Source) -> Bool,
        creationDates: [UUID: FolderRule.CreationDate] = [:], makeUUID: @escaping @Sendable () -> UUID,
        readings: KnownReadings, impatient: Set<SourceKey>
    ) {
        self.readings = readings
        self.impatient = impatient
        self.albumRules = albumRules
        self.movingFolders = movingFolders
        self.isVacant = isVacant
        self.creationDates = creationDates
        self.makeUUID = makeUUID
    }

    /// Decides and performs each of a batch, within one change.
    ///
    /// What is an asset's already by its bytes comes first; what is new is then looked at together with what lies
    /// beside it.
    package func perform(_ batch: [BatchItem], in change: inout Change) throws -> ImportedBatch {
        var result = ImportedBatch()
        var fresh: [FreshItem] = []
        var again: [BatchItem] = []
        var hashes: Set<ContentHash> = []
        for item in batch {
            if try hold(item, in: &change, &result) { continue }
            guard item.source.kind != nil else {
                fresh.append(FreshItem(item: item, replaced: nil, order: fresh.count))
                continue
            }
            // Once the first with these bytes is an asset.
            guard !hashes.contains(item.source.staged.content.hash) else {
                again.append(item)
                continue
            }
            let decision = try decide(item.source, in: change.catalogue)
            if case .create(let replaced) = decision {
                hashes.insert(item.source.staged.content.hash)
                fresh.append(FreshItem(item: item, replaced: replaced, order: fresh.count))
            } else {
                try settle(item, decision, in: &change, &result)
            }
        }
        try importUnits(fresh, in: &change, &result)
        for item in again {
            try settle(item, try decide(item.source, in: change.catalogue), in: &change, &result)
        }
        try keepReadings(in: &change, result)
        return result
    }

    private func decide(_ item: StagedSource, in catalogue: Catalogue) throws -> ImportDecision {
        decideImport(
            try catalogue.importFacts(
                of: item.key, item.evidence, item.staged.content.hash, item.resourceType, isVacant: isVacant,
                isSamePhotograph: { try isSamePhotograph(item, as: $0, in: catalogue) }))
    }

    private func isSamePhotograph(_ item: StagedSource, as source: Source, in catalogue: Catalogue) throws -> Bool? {
        guard let hash = source.evidence?.hash, let content = try catalogue.version(of: hash)?.content,
            let before = try catalogue.facts(of: content, readings), let now = try item.facts(readings, in: catalogue)
        else { return nil }
        return now.isSamePhotograph(as: before)
    }

    /// Whether a person must see to its album first.
    private func hold(_ item: BatchItem, in change: inout Change, _ result: inout ImportedBatch) throws -> Bool {
        let rule = try rule(for: item.source.key)
        let target = try rule.target(for: rule.directory(of: item.source.key.path), in: change.catalogue)
        guard case .hold(let reason, let detail) = target else { return false }
        let source = Source(
            key: item.source.key, outcome: .blocked, reason: reason, detail: detail, evidence: item.source.evidence)
        try change.record(source)
        result.take(source, of: item, in: &change)
        return true
    }

    private func rule(for key: SourceKey) throws -> AlbumRule {
        guard let rule = albumRules[key.folder] else { throw LibraryError.noSuchFolder(key.folder) }
        return rule
    }

    private func settle(
        _ item: BatchItem, _ decision: ImportDecision, in change: inout Change, _ result: inout ImportedBatch
    ) throws {
        let source = try apply(decision, to: item.source, in: &change)
        try file(source, decision: decision, in: &change)
        result.take(source, from: decision.former, of: item, in: &change)
        guard source.outcome.isMapped else { return }
        // Sidecars may have come before it, whatever it is: new, a copy, renamed, or back.
        result.arrived.append(item.source.key)
        try take(up: change.catalogue.sidecarsPassedOver(near: item.source.key), in: &change, &result)
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
            let hashes = before.compactMap(\.evidence?.hash)
            let resources = try change.catalogue.asset(identifier)?.resources ?? []
            let edited = resources.first { resource in hashes.contains(where: resource.has) }
            try addVersion(of: item, to: identifier, edited, in: &change)
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
        let resource = resources.first { $0.has(item.staged.content.hash) }
        guard let resource, resource.versions.last?.content.hash != item.staged.content.hash,
            known?.evidence?.hash != item.staged.content.hash
        else {
            // What could not be read for a while is what it was before.
            let mapped = known.flatMap { $0.outcome.isMapped ? $0 : nil }
            return try record(
                item, identifier, mapped?.outcome ?? .imported, mapped?.reason ?? .sameContent, before, in: &change)
        }
        try addVersion(of: item, to: identifier, resource, in: &change)
        return try record(item, identifier, .updated, .edited, before, in: &change)
    }

    func forget(_ former: [SourceKey], movedTo key: SourceKey, in change: inout Change) throws {
        for old in former {
            try change.perform(.forgetSource(old))
        }
        try change.tellMove(from: former, to: key)
    }

    /// Of bytes that nothing knew the type is found out now; all others are what they were.
    func addVersion(
        of item: StagedSource, to identifier: LocalIdentifier, _ resource: Resource?, in change: inout Change
    ) throws {
        let known = resource.flatMap { $0.versions.last?.content.isOfUnknownKind == true ? nil : $0 }
        let addition = VersionAddition(
            localIdentifier: identifier, resourceType: known?.type ?? item.resourceType, content: item.staged.content,
            replacing: known.flatMap { $0.type.canBeSeveral ? $0.versions.last?.content.hash : nil })
        try change.perform(.addVersion(addition))
    }

    /// A date that the folder's rule decides is given: what the bytes say later does not change it.
    func creation(of item: StagedSource, as identifier: LocalIdentifier, at now: Date) -> AssetCreation {
        let wanted = creationDates[item.key.folder] ?? .capture
        let modified = Date(microseconds: item.evidence.modified / 1000)
        // A day ahead a wall clock may be; what is later is no date at all (CASES of metadata).
        if wanted == .capture, modified > now.addingTimeInterval(86_400) {
            return AssetCreation(
                localIdentifier: identifier, mediaType: item.kind?.mediaType ?? .unknown, creationDate: now,
                creationDateSource: .added, resourceType: item.resourceType, originalFilename: item.key.path.name,
                content: item.staged.content)
        }
        return AssetCreation(
            localIdentifier: identifier, mediaType: item.kind?.mediaType ?? .unknown,
            creationDate: wanted == .now ? now : modified,
            creationDateSource: wanted == .capture ? .modified : .given, resourceType: item.resourceType,
            originalFilename: item.key.path.name, content: item.staged.content)
    }

    /// `before` are the rows of the path, and of those that the file comes from.
    func record(
        _ item: StagedSource, _ identifier: LocalIdentifier, _ outcome: Outcome, _ reason: Reason, _ before: [Source],
        detail: String? = nil, in change: inout Change
    ) throws -> Source {
        // A release is about the bytes, not about a name, a new time or a mode; what albumd will remove has one.
        let isReleased =
            outcome.isMapped && movingFolders.contains(item.key.folder)
            || before.contains { $0.isReleased && $0.evidence?.hash == item.evidence.hash }
        // Why it is a file of that asset holds under another name, and of its newer bytes.
        let known = before.first { $0.localIdentifier == identifier && $0.outcome.isMapped && $0.detail != nil }
        let source = Source(
            key: item.key, localIdentifier: identifier, outcome: outcome, reason: reason,
            detail: detail ?? known?.detail,
            evidence: item.evidence, isReleased: isReleased)
        try change.perform(.recordSource(source))
        return source
    }

    /// Puts the asset into the folder's album; a moved one leaves the album of where it was, unless a person put it
    /// there or another source keeps it there.
    func file(_ source: Source, decision: ImportDecision, in change: inout Change) throws {
        guard let asset = source.localIdentifier, source.outcome.isMapped else { return }
        let rule = try rule(for: source.key)
        let directory = rule.directory(of: source.key.path)
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

extension Content {
    /// Whether it was stored for its name's sake alone.
    fileprivate var isOfUnknownKind: Bool { contentType == MediaKind.unknown.mimeType }
}
