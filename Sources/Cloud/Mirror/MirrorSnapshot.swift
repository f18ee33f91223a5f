import PhotoModel

/// A copy of the catalogue in the store: `library/snapshots/<token>-<sha256>`.
struct MirrorSnapshot: Sendable {
    static let prefix = "library/snapshots/"

    let key: ObjectKey
    /// The newest change that it has.
    let token: Int64
    let sha256: ContentHash

    init(token: Int64, sha256: ContentHash) {
        guard let key = ObjectKey("\(Self.prefix)\(sixteenDigits(token))-\(sha256.hexadecimal)") else {
            preconditionFailure("digits are safe in a key")
        }
        (self.key, self.token, self.sha256) = (key, token, sha256)
    }

    init?(_ key: ObjectKey) {
        let parts = key.text.dropFirst(Self.prefix.count).split(separator: "-")
        guard parts.count == 2, let token = Int64(parts[0]), let hash = ContentHash(hexadecimal: parts[1]) else {
            return nil
        }
        self.init(token: token, sha256: hash)
        guard self.key == key else { return nil }
    }

    /// The newest first.
    static func all(
        in store: any ObjectStore
    ) throws(ObjectStoreError) -> [(snapshot: MirrorSnapshot, facts: ObjectFacts)] {
        try objects(below: prefix, in: store)
            .compactMap { facts in MirrorSnapshot(facts.key).map { ($0, facts) } }
            .reversed()
    }
}
