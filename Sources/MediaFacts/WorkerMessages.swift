/// What the daemon asks of `albumd-media`; the descriptor of the file comes with the frame.
package enum WorkerRequest: Hashable, Sendable, Codable {
    /// The facts of a file of this format: the raw value of a `MediaKind`, or `xmp` for a sidecar.
    case readFacts(format: String)
    /// Try what the lock must refuse, and say what came of it; for tests, and for whoever wants to see it.
    case tryTheLock
}

/// What `albumd-media` says.
package enum WorkerAnswer: Hashable, Sendable, Codable {
    /// Said once, unasked: every library is loaded, and the lock is on.
    case isLockedIn
    /// Said once instead, and why; then the worker ends.
    case cannotLockIn(String)
    case facts(FileFacts)
    /// Nothing could be read, and why.
    case unreadable(String)
    /// Each call that was tried, with its errno; 0 would be a hole.
    case refusals([String: Int32])
}
