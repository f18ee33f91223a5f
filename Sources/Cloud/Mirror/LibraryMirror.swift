package import FoundationEssentials
import PhotoModel
package import PhotoStore
import Platform

/// The history in the store, so that an empty directory and the store give the library back (issue of the cloud, part 6).
///
/// Beside the originals: `library/identity` with the library's identifier, `library/changes/<first>-<last>`, lines of the
/// journal by their tokens, and `library/snapshots/<token>-<sha256>`, copies of the catalogue. A segment is written
/// again only where the store has less of it; where two overlap they agree, as the journal's do.
package struct LibraryMirror: Sendable {
    static let prefix = "library/changes/"
    /// A line of an import has 256 files: some hundred kilobytes, all in memory at once.
    static let linesPerSegment = 16

    /// Lines of the catalogue's history after a token, so many at most; nobody waits for the store while it reads.
    package typealias History = (_ after: Int64, _ limit: Int) throws -> [HistoryLine]

    let store: any ObjectStore
    let library: UUID

    package init(store: any ObjectStore, library: UUID) {
        (self.store, self.library) = (store, library)
    }

    /// The newest token that the store has; throws where it has another history than this one.
    ///
    /// What is wanting or half in it is brought once more. `isExpected` where originals of the library are there alone;
    /// `suspect` is a change that was another's when the store was read last.
    package func newestToken(
        isExpected: Bool = false, suspect: Int64? = nil, _ history: History
    ) throws -> Int64 {
        try requireOurs(isExpected: isExpected, history)
        let listed = try MirrorSegment.allWithSize(in: store)
        guard let newest = listed.map(\.segment).max(by: { $0.tokens.upperBound < $1.tokens.upperBound }) else {
            return 0
        }
        let end = newest.tokens.upperBound
        guard try !history(end - 1, 1).isEmpty else { throw MirrorError.ahead(token: end) }
        let ours = try lines(of: newest, history)
        let theirs = try Cloud.text(newest.key, in: store)
        guard !isOtherHistory(theirs, than: ours) else { throw MirrorError.ahead(token: end) }
        try requireNoOther(among: listed.map(\.segment), suspect: suspect, history)
        if ours.count == newest.count, !isText(theirs, of: ours), !hasWhatIsLost(theirs, of: ours) {
            try put(newest.key, ours)
        }
        try mend(listed, history)
        return end
    }

    /// Brings what the history has beyond `token` to the store; returns the newest token there.
    ///
    /// It tells that on the way: what was brought before a failure is not brought again. Throws where another library has
    /// written there since.
    package func catchUp(
        from token: Int64, _ history: History, _ tell: (Int64) -> Void = { _ in }
    ) throws -> Int64 {
        if try !history(token, 1).isEmpty {
            try requireStore(history)
            try requireNoOther(after: token, history)
        }
        return try bring(after: token, upTo: .max, history, tell)
    }

    /// Each segment is proven before the next: what a put answers is no proof (RULES R40).
    private func bring(
        after token: Int64, upTo end: Int64, _ history: History, _ tell: (Int64) -> Void = { _ in }
    ) throws -> Int64 {
        var newest = token
        while newest < end {
            let lines = try history(newest, Self.linesPerSegment).filter { $0.token <= end }
            guard let first = lines.first, let last = lines.last else { return newest }
            try put(MirrorSegment.key(first.token...last.token), lines)
            newest = last.token
            tell(newest)
        }
        return newest
    }

    func put(_ key: ObjectKey, _ lines: [HistoryLine]) throws {
        try putProven(key, ObjectBody(Array(text(of: lines).utf8)), in: store)
    }

    func lines(of segment: MirrorSegment, _ history: History) throws -> [HistoryLine] {
        try history(segment.tokens.lowerBound - 1, segment.count).filter { segment.tokens.contains($0.token) }
    }

    /// Tokens that no segment has, and segments that are shorter than they must be.
    ///
    /// What a library has lost itself, and the store still has, is left alone.
    private func mend(_ listed: [(segment: MirrorSegment, byteCount: Int64)], _ history: History) throws {
        var newest: Int64 = 0
        for (segment, byteCount) in listed {
            if segment.tokens.lowerBound > newest + 1 {
                _ = try bring(after: newest, upTo: segment.tokens.lowerBound - 1, history)
            }
            let lines = try lines(of: segment, history)
            if try lines.count == segment.count && isShort(byteCount, of: lines) && !hasWhatIsLost(segment, of: lines) {
                try put(segment.key, lines)
            }
            newest = max(newest, segment.tokens.upperBound)
        }
    }

    /// Whether a segment has less than these lines, with their sums or, of an older albumd, without.
    ///
    /// Where some of them are lost here, one without sums may be longer than they are.
    private func isShort(_ byteCount: Int64, of lines: [HistoryLine]) -> Bool {
        let older = lines.reduce(0) { $0 + Int64($1.json.utf8.count + 1) }
        let whole = older + Int64(lines.count * HistoryLine.sumByteCount)
        return byteCount < older || byteCount > older && byteCount < whole && !lines.contains(where: \.isLost)
    }

    func text(of lines: [HistoryLine]) -> String { lines.map { $0.vouchedText + "\n" }.joined() }

    /// Whether a segment has these lines and nothing else, with their sums or, of an older albumd, without.
    func isText(_ theirs: String, of lines: [HistoryLine]) -> Bool {
        has(theirs, of: lines) { $0.isWritten(as: $1) }
    }

    /// Whether it has these lines, none of them lost, and each with its sum.
    func isSealedText(_ theirs: String, of lines: [HistoryLine]) -> Bool {
        has(theirs, of: lines) { !$0.isLost && $0.isSealed(as: $1) }
    }

    private func has(
        _ theirs: String, of lines: [HistoryLine], _ isLine: (HistoryLine, ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        let found = Array(theirs.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return found.count == lines.count + 1 && found.last?.isEmpty == true && zip(lines, found).allSatisfy(isLine)
    }
}

/// Stores an object and proves it; a store that took it and does not have it gets it twice more.
func putProven(_ key: ObjectKey, _ body: ObjectBody, in store: any ObjectStore) throws {
    for _ in 0..<3 {
        _ = try store.put(key, body)
        if try hasProven(key, body.sha256, in: store) { return }
    }
    throw MirrorError.damaged(key: key.text)
}

/// Whether the store, asked now, has an object with this hash.
func hasProven(
    _ key: ObjectKey, _ sha256: ContentHash, in store: any ObjectStore
) throws(ObjectStoreError) -> Bool {
    do throws(ObjectStoreError) {
        let hash = if let told = try store.head(key).sha256 { told } else { try readBack(key, in: store) }
        return hash == sha256
    } catch  where error.kind == .notFound {
        return false
    }
}

/// A small object as text.
func text(_ key: ObjectKey, in store: any ObjectStore) throws(ObjectStoreError) -> String {
    var bytes: [UInt8] = []
    try store.get(key, from: 0) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
}

/// The same, nil where there is none.
func textIfPresent(_ key: ObjectKey, in store: any ObjectStore) throws(ObjectStoreError) -> String? {
    do throws(ObjectStoreError) {
        return try text(key, in: store)
    } catch  where error.kind == .notFound {
        return nil
    }
}
