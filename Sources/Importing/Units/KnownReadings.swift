package import FoundationEssentials
import Media
package import PhotoModel
package import PhotoStore
import Platform

/// What was read of contents: now, or by the catalogue's word before.
package struct KnownReadings: Sendable {
    /// Those that are not in the catalogue yet.
    package private(set) var fresh: [ContentHash: ContentReading] = [:]

    /// Sidecars that cannot be read now: the facts are concluded without them.
    package var unread: Set<ContentHash> = []

    /// Files that nothing in the catalogue is near by its name.
    var alone: Set<SourceKey> = []

    private let reader: Int

    /// `reader` is the version of who reads.
    package init(reader: Int = FactsReading.readerVersion) { self.reader = reader }

    package mutating func add(_ reading: ContentReading) { fresh[reading.hash] = reading }

    package mutating func add(_ text: String, of hash: ContentHash) {
        fresh[hash] = ContentReading(
            hash: hash, reader: reader, facts: text, unreadable: nil, tries: 1)
    }

    /// Nil where it was not read, or could not be.
    package func text(of hash: ContentHash, in catalogue: Catalogue) throws -> String? {
        if let text = fresh[hash]?.facts { return text }
        return try catalogue.reading(of: hash).flatMap { $0.reader == reader ? $0.facts : nil }
    }
}

extension Catalogue {
    /// What is concluded of an asset by all its files; nil where one of them is still to be read.
    package func factsChange(of asset: Asset, _ readings: KnownReadings, at now: Date) throws -> FactsChange? {
        guard let primary = asset.resources.first, let content = primary.versions.last?.content,
            let text = try readings.text(of: content.hash, in: self)
        else { return nil }
        var faults: [String] = []
        var texts = FactsTexts(MediaKind(of: content) ?? .unknown, primary: text)
        for resource in asset.resources.dropFirst() {
            guard resource.type == .xmpSidecar || resource.type == .takeoutSidecar,
                let version = resource.versions.last
            else { continue }
            guard let text = try readings.text(of: version.content.hash, in: self) else {
                guard readings.unread.contains(version.content.hash) else { return nil }
                if version.residency != .inCloud { faults.append(unreadSidecar(resource)) }
                continue
            }
            if resource.type == .xmpSidecar { texts.xmp.append(text) } else { texts.takeout.append(text) }
        }
        let facts = AssetFacts(
            judging: texts, name: primary.originalFilename.bytes,
            modified: asset.creationDateSource == .modified ? asset.creationDate : nil, now: now)
        // A zone that was proven stays, as long as the file says the same time and no zone.
        guard var facts = facts?.withZone(try self.facts(of: asset.localIdentifier)?.zoneProof) else { return nil }
        facts.faults += faults
        let isLive = asset.resources.contains { $0.type == .pairedVideo }
        return FactsChange(
            of: asset.localIdentifier, hash: content.hash, facts: isLive ? facts.pairedWithMovie : facts,
            creationDate: asset.creationDate, creationDateSource: asset.creationDateSource)
    }
}

private func unreadSidecar(_ resource: Resource) -> String {
    "its sidecar '\(printable(resource.originalFilename.bytes))' could not be read, and fills nothing"
}
