package import FoundationEssentials
package import PhotoModel

/// A place for objects: bytes under a key, whole or not at all (DESIGN section 6).
///
/// Five verbs, each of which blocks and tries once; `RetryingStore` tries again. Engines: `SimulatedStore`; S3 later. Every
/// engine passes one conformance suite. A put that returned is durable as far as the store says so: a caller that needs
/// proof asks `verify`, and never takes the put's word (RULES R40).
package protocol ObjectStore: Sendable {
    /// Stores the bytes under the key, as a new version where the store keeps versions.
    ///
    /// Whole or not at all: a reader sees the object from before or this one. Throws `checksumMismatch` where the bytes
    /// that came are not those declared, and then nothing is stored.
    func put(_ key: ObjectKey, _ body: ObjectBody) throws(ObjectStoreError) -> ObjectFacts
    /// What the store says of the newest version; throws `notFound` where there is none.
    func head(_ key: ObjectKey) throws(ObjectStoreError) -> ObjectFacts
    /// Hands the bytes of the newest version from `offset` on to `take`, in order, in pieces of at most 1 MiB.
    ///
    /// Ends without an error only where the store says that this was all of it; what came before an error stands.
    func get(
        _ key: ObjectKey, from offset: Int64, _ take: (UnsafeRawBufferPointer) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError)
    /// Deletes the object with all its versions; one that is not there is deleted already.
    func delete(_ key: ObjectKey) throws(ObjectStoreError)
    /// The keys that begin with `prefix` and come after `after`, in the order of their bytes, at most `limit`.
    ///
    /// May be behind what was put and deleted a moment ago.
    func list(_ prefix: String, after: ObjectKey?, limit: Int) throws(ObjectStoreError) -> [ObjectFacts]
}

/// What a store says of an object.
package struct ObjectFacts: Hashable, Sendable {
    package var key: ObjectKey
    package var byteCount: Int64
    /// The SHA-256 of the whole object as the store knows it; nil where it gives none, as in a list (RULES R40).
    package var sha256: ContentHash?
    /// The version that was stored or found; nil where the store keeps no versions.
    package var versionID: String?
    /// When the store took it, by the store's clock.
    package var storedDate: Date

    package init(key: ObjectKey, byteCount: Int64, sha256: ContentHash?, versionID: String?, storedDate: Date) {
        self.key = key
        self.byteCount = byteCount
        self.sha256 = sha256
        self.versionID = versionID
        self.storedDate = storedDate
    }
}
