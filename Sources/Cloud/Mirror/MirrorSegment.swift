/// A piece of the history in the store.
struct MirrorSegment: Sendable {
    let key: ObjectKey
    let tokens: ClosedRange<Int64>

    static func key(_ tokens: ClosedRange<Int64>) -> ObjectKey {
        guard
            let key = ObjectKey(
                "\(LibraryMirror.prefix)\(sixteenDigits(tokens.lowerBound))-\(sixteenDigits(tokens.upperBound))")
        else { preconditionFailure("digits are safe in a key") }
        return key
    }

    init?(_ key: ObjectKey) {
        let parts = key.text.dropFirst(LibraryMirror.prefix.count).split(separator: "-")
        guard key.text.hasPrefix(LibraryMirror.prefix), parts.count == 2, let first = Int64(parts[0]),
            let last = Int64(parts[1]), first <= last
        else { return nil }
        (self.key, tokens) = (key, first...last)
    }

    var count: Int { Int(tokens.upperBound - tokens.lowerBound + 1) }

    /// In the order of their tokens.
    static func all(in store: any ObjectStore) throws(ObjectStoreError) -> [MirrorSegment] {
        try allWithSize(in: store).map(\.segment)
    }

    static func allWithSize(
        in store: any ObjectStore
    ) throws(ObjectStoreError) -> [(segment: MirrorSegment, byteCount: Int64)] {
        try objects(below: LibraryMirror.prefix, in: store).compactMap { facts in
            MirrorSegment(facts.key).map { ($0, facts.byteCount) }
        }
    }
}

/// What a store lists below a prefix, all of it.
func objects(below prefix: String, in store: any ObjectStore) throws(ObjectStoreError) -> [ObjectFacts] {
    var found: [ObjectFacts] = []
    while true {
        let page = try store.list(prefix, after: found.last?.key, limit: 1000)
        if page.isEmpty { return found }
        found += page
    }
}

/// So many that keys are in the order of their tokens.
func sixteenDigits(_ token: Int64) -> String {
    let text = String(token)
    return String(repeating: "0", count: max(0, 16 - text.count)) + text
}
