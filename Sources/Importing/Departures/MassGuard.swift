/// Whether so many deletions may be followed at once (RULES R34): a value, decided from counts alone.
package struct MassGuard: Sendable, Equatable {
    /// Mapped sources of the folder that are there, or were until now.
    package var sourceCount: Int
    /// Trashed by this folder's deletions within the hour, those that were confirmed left out.
    package var trashedWithinHour: Int

    package init(sourceCount: Int, trashedWithinHour: Int) {
        self.sourceCount = sourceCount
        self.trashedWithinHour = trashedWithinHour
    }

    package var limit: Int { max(20, sourceCount / 10) }

    package func allows(_ count: Int) -> Bool { trashedWithinHour + count <= limit }
}
