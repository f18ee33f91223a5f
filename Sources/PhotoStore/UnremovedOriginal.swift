package import PhotoModel
package import Platform
import Synchronization

/// An original that was deleted for good, and is still there.
package struct UnremovedOriginal: Sendable, Equatable {
    package var hash: ContentHash
    /// Below the library.
    package var path: PathBytes
    /// 0 where only its name's going could not be made durable.
    package var byteCount: Int64
    package var error: FileError
}

extension PhotoLibrary {
    /// What the last try could not remove, and no photo has again; it is tried within the hour, and by purge and repair.
    package nonisolated func unremoved(in catalogue: Catalogue) throws -> [UnremovedOriginal] {
        let left = notUnlinked.withLock { $0 }
        guard !left.isEmpty else { return [] }
        let owed = Set(try catalogue.unlinkWork().map(\.hash))
        return left.filter { owed.contains($0.hash) }
    }

    func unremoved(_ name: StoredName, _ error: FileError) -> UnremovedOriginal {
        let path = Orphan(name: name).path
        let status = try? machine.files.status(at: path.bytes, in: directory.root)
        return UnremovedOriginal(hash: name.hash, path: path, byteCount: status?.byteCount ?? 0, error: error)
    }
}
