package import PhotoModel

/// Why a file that looks like another's companion is none.
package struct NearMiss: Hashable, Sendable {
    package var file: SourceKey
    package var other: SourceKey
    package var reason: Reason

    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Picture and movie of one name, and one of them has no content identifier.
        case noContentIdentifier
        /// Both have one, and they differ.
        case otherContentIdentifier
        /// The same identifier, but the other has its companion.
        case companionTaken
        /// It is together with a file that is none of the other's.
        case othersDoNot
        /// RAW and picture, or an edit, of other seconds.
        case otherCaptureDate
        case otherCamera
        /// Nothing says when or with what both were taken.
        case notEnoughFacts
        /// The sidecar's name means several files alike.
        case ambiguousName
        /// Both are assets already, with albums of their own.
        case bothAreAssets
    }
}
