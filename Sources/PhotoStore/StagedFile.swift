package import Platform
import Synchronization

/// Bytes on their way into the library.
///
/// Let go before it is published or kept, it removes itself.
package final class StagedFile: Sendable {
    package let name: [UInt8]
    package let file: OpenFile
    private let originals: Originals
    /// Whether the name in staging is no longer ours: the bytes were published, discarded, or kept for later.
    private let hasLeft = Atomic(false)

    init(name: [UInt8], file: OpenFile, originals: Originals) {
        self.name = name
        self.file = file
        self.originals = originals
    }

    deinit { removeName() }

    /// Opens it once more, for reading only: for who must not be able to write it.
    package func openForReading() throws(FileError) -> OpenFile {
        try originals.machine.files.openForReading(name, beneath: originals.staging)
    }

    /// Gives the bytes their name in originals.
    func move(to name: [UInt8], in directory: OpenFile) throws(FileError) {
        try originals.machine.files.rename(self.name, in: originals.staging, to: name, in: directory)
        hasLeft.store(true, ordering: .releasing)
    }

    /// Removes it; what was published is no longer here, and that is well.
    package func discard() {
        removeName()
        // Nobody needs these bytes any more, or they are synced.
        try? file.close()
    }

    /// Removes its name, and gives the open file away: the bytes are there until that is closed.
    package func surrender() -> Int32 {
        removeName()
        return file.surrender()
    }

    /// Leaves it in staging under its name, for a later try; no part of it is durable.
    package func keep() {
        guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // What cannot be written is written anew by the later try.
        try? file.close()
    }

    private func removeName() {
        guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The sweep at start removes what stays.
        try? originals.machine.files.unlink(name, in: originals.staging)
    }
}
