import PhotoModel
import PhotoStore
import Platform

/// When the held deletions were last compared with the catalogue.
struct HeldReview {
    /// A list may be long, and changes come fast.
    static let interval = Duration.seconds(5)

    var token: Int64 = -1
    /// Uptime before which there is no other.
    var next = Duration.zero
    /// Whether the catalogue has changed since.
    var isOwed = false
}

/// Held deletions are what they say: what came to light elsewhere, or was deleted or released by a person, is none of
/// them any more.
extension ImportEngine {
    /// `now` is nil where it is not to wait.
    func reviewHeld(at now: Duration?) throws {
        guard !heldDeletions.isEmpty else { return }
        let token = try reader.lastToken()
        heldReview.isOwed = token != heldReview.token
        guard heldReview.isOwed, now.map({ heldReview.next <= $0 }) ?? true else { return }
        heldReview = HeldReview(token: token, next: machine.uptime() + HeldReview.interval)
        for held in heldDeletions.values {
            let leaving = Set(try reader.assetsAbandoned(by: Set(held.evidence.keys)).flatMap(\.sources))
            try hold(held.evidence.filter { leaving.contains($0.key) }, in: held.folder)
            // Those of them that are still gone only have to be written down.
            postpone(held.evidence.filter { !leaving.contains($0.key) }, by: .zero)
        }
    }
}
