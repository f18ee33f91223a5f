import FoundationEssentials
package import PhotoModel
package import Platform

/// Proof that the store has an original's bytes: only `verify` makes one (RULES R40).
///
/// Good for five minutes, by the clock that nobody sets.
package struct VerifiedCloudCopy: Sendable {
    package let content: Content
    /// What the library keeps of it.
    package let copy: CloudCopy
    private let proven: Duration

    fileprivate init(_ content: Content, _ copy: CloudCopy, proven: Duration) {
        (self.content, self.copy, self.proven) = (content, copy, proven)
    }

    private static let life = Duration.seconds(300)

    package func isFresh(at uptime: Duration) -> Bool { uptime - proven < VerifiedCloudCopy.life }
}

/// What asking for a proof came to, where the store answered at all.
package enum CloudProof: Sendable {
    case proven(VerifiedCloudCopy)
    /// The store says that it has no such object; once said, this means nothing yet (RULES R42).
    case absent
    /// There is an object, and its bytes are others.
    case different(why: String)
}

/// Asks the store for the hash of the whole object, now; one that gives none is read to its end.
///
/// Never by size alone, never by what a put answered; where the size is another than the catalogue's the bytes are read,
/// for either may be wrong. What is no answer, an outage or a refusal, is thrown.
package func verify(
    _ content: Content, in store: any ObjectStore, machine: Machine
) throws(ObjectStoreError) -> CloudProof {
    let key = ObjectKey.original(content.hash)
    // Before the question: the answer is as old as that.
    let asked = machine.uptime()
    let facts: ObjectFacts
    do throws(ObjectStoreError) {
        facts = try store.head(key)
    } catch  where error.kind == .notFound {
        return .absent
    }
    let isAsLong = facts.byteCount == content.byteCount
    let hash = if isAsLong, let told = facts.sha256 { told } else { try readBack(key, in: store) }
    guard hash == content.hash else {
        let sizes = "it has \(counted(Int(facts.byteCount), "byte")) instead of \(content.byteCount)"
        return .different(why: isAsLong ? "the hash differs" : sizes)
    }
    let copy = CloudCopy(
        key: key.text, versionID: facts.versionID, uploadedDate: facts.storedDate, verifiedDate: machine.now())
    return .proven(VerifiedCloudCopy(content, copy, proven: asked))
}

/// The hash of an object's bytes, read from the store.
package func readBack(_ key: ObjectKey, in store: any ObjectStore) throws(ObjectStoreError) -> ContentHash? {
    var hasher = ContentHasher()
    try store.get(key, from: 0) { hasher.update($0) }
    return ContentHash(bytes: hasher.finish())
}
