/// A piece of the history in the store.
struct MirrorSegment: Sendable {
    let key: ObjectKey
    let tokens: ClosedRange<Int64>

    static func key(_ tokens: ClosedRange<Int64>) -> ObjectKey {
        guard let key = ObjectKey("\(LibraryMirror.prefix)\(digits(tokens.lowerBound))-\(digits(tokens.upperBound))")
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
    static func all(in store: any ObjectStore) throws -> [MirrorSegment] {
        var segments: [MirrorSegment] = []
        var last: ObjectKey?
        while true {
            let page = try store.list(LibraryMirror.prefix, after: last, limit: 1000)
            guard let end = page.last else { return segments }
            segments += page.compactMap { MirrorSegment($0.key) }
            last = end.key
        }
    }

    /// Sixteen, so that keys are in the order of their tokens.
    private static func digits(_ token: Int64) -> String {
        let text = String(token)
        return String(repeating: "0", count: max(0, 16 - text.count)) + text
    }
}
