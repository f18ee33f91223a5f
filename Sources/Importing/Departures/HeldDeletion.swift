package import FoundationEssentials
package import PhotoModel
import Platform

/// Deletions that wait for a person: nothing of the list is trashed until `albumctl confirm` names the token.
package struct HeldDeletion: Sendable, Equatable {
    /// A token is good for a day.
    package static let lifetime = 86_400.0

    package var folder: UUID
    package var evidence: [SourceKey: Departure.Evidence]
    /// When the list became what it is.
    package var since: Date
    /// What a person confirms: bound to the exact list, and to its time.
    package var token: String

    package init(folder: UUID, evidence: [SourceKey: Departure.Evidence], since: Date) {
        self.folder = folder
        self.evidence = evidence
        self.since = since
        token = HeldDeletion.token(folder: folder, paths: evidence.keys.map(\.path).sorted(), since: since)
    }

    package func isExpired(at now: Date) -> Bool {
        abs(now.timeIntervalSince(since)) > HeldDeletion.lifetime
    }

    private static func token(folder: UUID, paths: [PathBytes], since: Date) -> String {
        var hasher = ContentHasher()
        let head = Array("\(folder.uuidString) \(since.microseconds)".utf8)
        for bytes in [head] + paths.map(\.bytes) {
            // No path has a zero: the list cannot be read in two ways.
            (bytes + [0]).withUnsafeBytes { hasher.update($0) }
        }
        return String(ContentHash(bytes: hasher.finish())?.hexadecimal.prefix(12) ?? "")
    }
}
