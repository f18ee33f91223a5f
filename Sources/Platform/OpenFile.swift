import Synchronization

/// An open file or directory.
///
/// Closes itself when let go; `close()` where the error matters (R3).
package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let files: any FileVerbs
    private let isClosed = Atomic(false)

    package init(_ descriptor: Int32, of files: any FileVerbs) {
        self.descriptor = descriptor
        self.files = files
    }

    /// Closes now and says whether write-back had failed (close(2)).
    ///
    /// A second call does nothing.
    package func close() throws(FileError) {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        try files.close(descriptor)
    }

    /// Gives the descriptor away: closing it is the caller's from now on.
    package func surrender() -> Int32 {
        isClosed.store(true, ordering: .releasing)
        return descriptor
    }

    deinit {
        // Nothing can be done about an error here; who must know calls close().
        try? close()
    }
}
