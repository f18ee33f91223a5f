package import FoundationEssentials
package import PhotoModel
import Platform

/// Why an original must not leave the disk now (RULES R41).
package enum EvictionRefusal: String, Error, Sendable, CaseIterable {
    /// It is not both here and proven in the cloud.
    case unproven
    /// What was proven is not what the catalogue has now, or the proof is older than five minutes.
    case staleProof
    case pinned
    /// One of its albums has the rule `keepLocal`.
    case keptByAlbum
    case inRecentlyDeleted
    /// The bytes here are not those of the catalogue.
    case damaged
    /// Somebody is reading it.
    case inUse
    /// The wall clock jumped, and nothing is removed until a day of running has passed.
    case clockFrozen
    /// The library takes no changes: the disk failed.
    case readOnly
}

/// Where originals are: committed here, where nothing is published or unlinked meanwhile (RULES R5, R39).
extension PhotoLibrary {
    /// Takes an original off the disk: commits that it is in the cloud, then unlinks it.
    ///
    /// Called by `Eviction` alone, which has the proof; a crash between the two leaves the file, which the next start
    /// takes for what it is: here as well. Throws `EvictionRefusal`, and then nothing has changed.
    package func evict(_ content: Content, copy: CloudCopy, look: StoredBytes) throws {
        // No proof either is what a catalogue says that has not been checked.
        guard inspection.hasPassed else { throw EvictionRefusal.unproven }
        if let refusal = try refusalToEvict(content, look: look) { throw refusal }
        _ = try performChanges(origin: "cloud") { change in
            try change.perform(.setResidency(ResidencyChange(hash: content.hash, residency: .inCloud, copy: copy)))
            try change.perform(.setTransfer(TransferChange(hash: content.hash, transfer: nil, requestedBy: .policy)))
        }
        try machine.reach(.evictionCommitted)
        do throws(FileError) {
            try directory.originals.remove(content.hash, fileExtension: content.fileExtension)
        } catch {
            machine.log(.error, "an evicted original could not be unlinked, it stays: \(error)")
            try returnIfThere(content)
        }
    }

    /// What stands against it now, in the order in which a person would want to know; nil where nothing does.
    ///
    /// With `isProofOwed` it need not be in the cloud yet: the upload comes first.
    package func refusalToEvict(
        _ content: Content, look: StoredBytes?, isProofOwed: Bool = false
    ) throws -> EvictionRefusal? {
        guard let version = try catalogue.version(of: content.hash),
            version.residency == .both || isProofOwed && version.residency == .local
        else { return .unproven }
        if isReadOnly { return .readOnly }
        if isClockFrozen { return .clockFrozen }
        for (asset, state) in try catalogue.assetsHaving(content.hash) {
            if state == .trashed { return .inRecentlyDeleted }
            if try catalogue.isPinned(asset, at: machine.now()) { return .pinned }
        }
        if try catalogue.isKeptByAlbum(content.hash) { return .keptByAlbum }
        guard version.condition == .sound else { return .damaged }
        guard let look else { return nil }
        guard look.finding == .sound, directory.originals.stillStands(look, of: content) else { return .damaged }
        return try directory.originals.isOpenElsewhere(content) ? .inUse : nil
    }

    /// A residency that the disk contradicts: the file is there after all.
    private func returnIfThere(_ content: Content) throws {
        guard try directory.originals.isSound(content) else { return }
        _ = try performChanges(origin: "cloud") { try $0.bringBack(content.hash) }
    }

    /// What is known of a content now, on the thread that changes it.
    package func version(of hash: ContentHash) throws -> Version? { try catalogue.version(of: hash) }

    package func cloudCopy(of hash: ContentHash) throws -> CloudCopy? { try catalogue.cloudCopy(of: hash) }

    package func counts() throws -> CatalogueContents { try catalogue.counts() }

    /// The token of the newest change.
    package func lastToken() throws -> Int64 { try catalogue.lastToken() }

    /// Gives back what is cached of the catalogue, for a time of rest.
    package func releaseCache() throws { try catalogue.releaseCache() }

    /// How many changes stand in the history as lost, each an empty one.
    package func lostChangeCount() throws -> Int { try catalogue.lostChangeCount() }

    /// Whether anything but the configured limits has a say in where originals are.
    package func hasTierWishes() throws -> Bool { try catalogue.hasTierWishes() }

    /// Whether any original is in the cloud.
    package func hasCopies() throws -> Bool { try catalogue.hasCopies() }

    /// Every original as the plan of the tier sees it.
    package func tierFacts(at now: Date) throws -> [TierFacts] { try catalogue.tierFacts(at: now) }

    /// Whether the wall clock jumped within a day of running (RULES R41).
    package var isClockFrozen: Bool { lastClock?.clock.hasJumped ?? false }

    /// Whether nothing is to expire yet (RULES R35).
    package var isExpiryHeld: Bool { lastClock?.clock.isFrozen ?? false }

    /// Transfers that were begun and have not ended.
    package func transfers() throws -> [TransferChange] { try catalogue.transfers() }

    /// Objects of contents that were purged before that instant, now where it is nil.
    package func objectWork(
        purgedBefore date: Date? = nil, limit: Int = 100
    ) throws -> [(hash: ContentHash, key: String)] {
        try catalogue.objectWork(purgedBefore: date ?? machine.now(), limit: limit)
    }

    /// When the content was purged whose object is still in the store, in the catalogue's words; nil where none was.
    package func purge(ofObject hash: ContentHash) throws -> String? { try catalogue.purge(ofObject: hash) }

    /// Commits steps of transfers and what they came to.
    package func perform(_ requests: [ChangeRequest], origin: String) throws {
        _ = try performChanges(origin: origin) { change in
            for request in requests { try change.perform(request) }
        }
    }

    /// Remembers when originals were asked for.
    package func noteUse(of hashes: [ContentHash]) throws { try catalogue.noteUse(of: hashes, at: machine.now()) }

    /// The object of a purged content is gone from the store, or belongs to it again.
    package func finishObject(_ hash: ContentHash) throws { try catalogue.finishObject(hash) }
}

extension Change {
    /// The bytes of a content are on the disk and sound, wherever they were thought to be.
    ///
    /// Of one that was lost the cloud was found without a copy: then they are here alone.
    mutating func bringBack(_ hash: ContentHash) throws {
        let before = try catalogue.version(of: hash)
        try perform(.setCondition(ConditionChange(hash: hash, condition: .sound)))
        guard let before, before.residency == .inCloud else { return }
        let copy = try catalogue.cloudCopy(of: hash)
        try perform(.setResidency(ResidencyChange(hash: hash, residency: .both, copy: copy)))
        guard before.isLost else { return }
        try perform(.setResidency(ResidencyChange(hash: hash, residency: .local, copy: nil)))
    }
}
