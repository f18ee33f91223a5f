import PhotoModel
import PhotoStore
import Platform

/// What the store says counts only where it is this library's: another one's, or the bare directory below which its volume
/// should be mounted, would deny every original, and an older one's proof is no proof of this one's.
extension CloudTier {
    /// What the store answers of an original, and whose it is, asked right after: both the first time and the second.
    func ask(_ content: Content) throws -> CloudProof {
        let proof = try asking { () throws(ObjectStoreError) in try verify(content, in: store, machine: machine) }
        try requireOurs()
        return proof
    }

    /// Throws `TierError.notOurs` where the store, asked now, is not this library's.
    package func requireOurs() throws(TierError) {
        guard let key = LibraryMirror.identity else { return }
        let mirror = LibraryMirror(store: store, library: library.directory.identifier)
        let found = try asking { () throws(ObjectStoreError) in try textIfPresent(key, in: store) }
        guard found != mirror.identityText else { return }
        throw TierError.notOurs(found.map(MirrorError.init(otherIdentity:)) ?? .vanished)
    }
}
