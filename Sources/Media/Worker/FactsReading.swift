package import MediaFacts

/// What became of reading the facts of one file.
package enum FactsReading: Sendable, Equatable {
    case facts(FileFacts)
    /// Nothing could be read of this file, and why.
    case unreadable(reason: String)
    /// Nothing can be read of any file now, and why: `albumd-media` is not installed, or cannot be started.
    case unavailable(reason: String)
}
