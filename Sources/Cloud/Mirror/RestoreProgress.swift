/// What a restore is at.
package enum RestoreStep: String, Sendable, Codable, CaseIterable {
    /// Bytes of the newest snapshot of the catalogue.
    case snapshot
    /// Changes of the history that are read.
    case history
    /// Changes that are applied.
    case catalogue
    /// Originals that are looked for in the store's listing.
    case listing
    /// Originals without a proof that are asked for.
    case originals
}

/// Told on the way: how many of how many.
package typealias RestoreProgress = @Sendable (_ step: RestoreStep, _ done: Int64, _ all: Int64) -> Void
