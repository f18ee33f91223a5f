package import MediaFacts

/// What became of reading the facts of one file.
package enum FactsReading: Sendable, Equatable {
    case facts(FileFacts)
    /// Nothing could be read of this file, and why.
    case unreadable(reason: String)
    /// Nothing can be read of any file now.
    case unavailable(WorkerObstacle)
}
