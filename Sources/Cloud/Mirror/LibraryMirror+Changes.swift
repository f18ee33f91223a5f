import PhotoModel
package import PhotoStore

/// Single changes as the store has them.
extension LibraryMirror {
    /// The same, from a store that is known to be the library's by its identity alone: nothing of a segment that has
    /// another history is taken.
    package func changes(_ tokens: Set<Int64>, agreeingWith history: History) throws -> [FoundChange] {
        guard try isStore(store, of: library) else { throw MirrorError.vanished }
        for segment in try MirrorSegment.all(in: store) where tokens.contains(where: segment.tokens.contains) {
            let theirs = try textIfPresent(segment.key, in: store) ?? ""
            if try isOtherHistory(theirs, than: lines(of: segment, history)) {
                throw MirrorError.ahead(token: segment.tokens.upperBound)
            }
        }
        return try changes(tokens)
    }

    /// Those of some tokens that stand whole in a segment.
    package func changes(_ tokens: Set<Int64>) throws -> [FoundChange] {
        var found: [Int64: FoundChange] = [:]
        for segment in try MirrorSegment.all(in: store) where tokens.contains(where: segment.tokens.contains) {
            for line in try (textIfPresent(segment.key, in: store) ?? "").split(separator: "\n") {
                guard let line = JournalLine(intact: Array(line.utf8)[...]), tokens.contains(line.token),
                    segment.tokens.contains(line.token)
                else { continue }
                found[line.token] = FoundChange(line, in: "the cloud, \(segment.key.text)")
            }
        }
        return found.values.sorted { $0.line.token < $1.line.token }
    }
}
