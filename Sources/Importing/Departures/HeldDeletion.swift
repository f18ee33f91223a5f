package import FoundationEssentials
package import PhotoModel
import Platform

/// Deletions that wait for a person: nothing of the list is trashed until `albumctl confirm` names the token.
package struct HeldDeletion: Sendable, Equatable {
    package var folder: UUID
    package var evidence: [SourceKey: Departure.Evidence]
    /// When the list became what it is, as far as was seen since the start.
    package var since: Date
    /// What a person confirms: it follows from the list alone, and is the same for the same list after a restart.
    package var token: String

    /// `assets` are those of the sources: another photo under the same name is another list.
    package init(
        folder: UUID, evidence: [SourceKey: Departure.Evidence], assets: [SourceKey: LocalIdentifier], since: Date
    ) {
        self.folder = folder
        self.evidence = evidence
        self.since = since
        let list = evidence.keys.sorted().flatMap { [$0.path.bytes, Array((assets[$0]?.description ?? "").utf8)] }
        token = HeldDeletion.start(of: folder) + HeldDeletion.digest(list, digits: 12)
    }

    /// Whether the token is, or was, one for deletions of this folder.
    package static func isToken(_ token: String, of folder: UUID) -> Bool { token.hasPrefix(start(of: folder)) }

    private static func start(of folder: UUID) -> String { digest([Array(folder.uuidString.utf8)], digits: 4) + "-" }

    private static func digest(_ parts: [[UInt8]], digits: Int) -> String {
        var hasher = ContentHasher()
        for part in parts {
            // No path has a zero: the list cannot be read in two ways.
            (part + [0]).withUnsafeBytes { hasher.update($0) }
        }
        return String(ContentHash(bytes: hasher.finish())?.hexadecimal.prefix(digits) ?? "")
    }
}
