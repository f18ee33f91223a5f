import PhotoStore

/// Two copies of one library that write to one store each take it for theirs: neither may go on once it meets the other.
extension LibraryMirror {
    /// Whether these lines are another history: a change has another date than ours of the same token.
    ///
    /// Half a line, or a spoilt one, says nothing, and neither does a single line that is almost ours: that is rot. What this
    /// library lost may be there.
    func isOtherHistory(_ theirs: String, than ours: [HistoryLine]) -> Bool {
        let known = Dictionary(
            ours.filter { !$0.isLost }.map { ($0.token, $0) }, uniquingKeysWith: { first, _ in first })
        let other = theirs.split(separator: "\n").compactMap { text -> (theirs: Substring, ours: String)? in
            guard let line = JournalReader.line(Array(text.utf8)[...]), !line.isLost,
                let mine = known[line.token], mine.date != line.date
            else { return nil }
            return (text, mine.json)
        }
        guard other.count == 1, let only = other.first else { return !other.isEmpty }
        return !isAlmost(only.theirs.utf8, only.ours.utf8)
    }

    /// Whether they have a change that this library lost, or has damaged: then they are left as they are.
    func hasWhatIsLost(_ theirs: String, of ours: [HistoryLine]) -> Bool {
        let wanting = Dictionary(
            ours.filter { $0.isLost || !$0.isWhole }.map { ($0.token, $0) }, uniquingKeysWith: { first, _ in first })
        guard !wanting.isEmpty else { return false }
        return theirs.split(separator: "\n").contains { text in
            let bytes = Array(text.utf8)
            guard let line = JournalReader.line(bytes[...]), let mine = wanting[line.token] else { return false }
            return mine.isLost ? !line.changes.isEmpty : LineSum(of: bytes[...]) == .right
        }
    }

    /// The same of a segment that is read for it where these lines lack one.
    func hasWhatIsLost(_ segment: MirrorSegment, of ours: [HistoryLine]) throws -> Bool {
        guard ours.contains(where: { $0.isLost || !$0.isWhole }) else { return false }
        return try hasWhatIsLost(textIfPresent(segment.key, in: store) ?? "", of: ours)
    }

    private func isAlmost(_ one: Substring.UTF8View, _ other: String.UTF8View) -> Bool {
        one.count == other.count && zip(one, other).filter { $0 != $1 }.count <= 2
    }

    /// Throws where a segment goes beyond the history, or has other changes.
    func requireOurs(_ segment: MirrorSegment, _ theirs: String, _ history: History) throws {
        let end = segment.tokens.upperBound
        let isBeyond = try history(end - 1, 1).isEmpty
        if try isBeyond || isOtherHistory(theirs, than: lines(of: segment, history)) {
            throw MirrorError.ahead(token: end)
        }
    }

    /// Reads the segments that this library did not write, or that were another's before: what it wrote itself has no
    /// change twice, unless it was mended.
    func requireNoOther(among segments: [MirrorSegment], suspect: Int64?, _ history: History) throws {
        var read: Set<ObjectKey> = []
        for (index, segment) in segments.enumerated() {
            let next = index + 1 < segments.count ? segments[index + 1] : nil
            var doubtful = suspect.map(segment.tokens.contains) == true ? [segment] : []
            if let next, next.tokens.lowerBound <= segment.tokens.upperBound { doubtful = [segment, next] }
            for segment in doubtful where read.insert(segment.key).inserted {
                if let theirs = try textIfPresent(segment.key, in: store) { try requireOurs(segment, theirs, history) }
            }
        }
    }

    /// The same for those that begin after a token, which was the newest that this library brought.
    func requireNoOther(after token: Int64, _ history: History) throws {
        let after = MirrorSegment.key(token...token)
        for facts in try store.list(Self.prefix, after: after, limit: 1000) {
            guard let segment = MirrorSegment(facts.key), segment.tokens.lowerBound > token else { continue }
            if let theirs = try textIfPresent(segment.key, in: store) { try requireOurs(segment, theirs, history) }
        }
    }
}
