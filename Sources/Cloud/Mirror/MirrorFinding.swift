package import PhotoModel

/// What reading an object of the library's own in the store came to.
package struct MirrorFinding: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case proven
        /// It was wanting, or had other bytes, and was written again from the library.
        case writtenAgain
        /// A snapshot with other bytes, which the library has no more: no restore would have taken it.
        case deleted
        /// It is wanting, or has other bytes, and could not be written again.
        case absent
        case different
    }

    package let key: ObjectKey
    /// Of the bytes that belong there, as far as the library has them.
    package let sha256: ContentHash
    package let byteCount: Int64
    package internal(set) var outcome: Outcome
    /// Why it could not be written again.
    package internal(set) var why: String?

    init(_ key: ObjectKey, _ sha256: ContentHash, _ byteCount: Int64, _ outcome: Outcome) {
        (self.key, self.sha256, self.byteCount, self.outcome) = (key, sha256, byteCount, outcome)
    }

    /// Whether a restore can rely on it, or does not need it.
    package var isSound: Bool { [.proven, .writtenAgain, .deleted].contains(outcome) }
}
