import FoundationEssentials
import PhotoModel
import PhotoStore

/// The history in the store, in the order of its tokens, each token once.
///
/// A change is taken from whichever segment has it; one that none has is lost, and so is a line that is not what its segment's
/// name says. Where the store has a snapshot, what is wanting before it is no loss, and is left out.
struct SegmentReader {
    private let store: any ObjectStore
    private let snapshot: Int64
    private var segments: ArraySlice<MirrorSegment>
    /// The newest token that any segment has.
    let end: Int64
    /// The newest token that was handed over, or is lost.
    private(set) var newest: Int64
    /// What stands in for the date of a lost change: that of the one before it.
    private var date: Date
    private var waiting: [Int64: Substring] = [:]
    /// The segments that are not what their names say.
    private var damaged: [MirrorSegment] = []
    private(set) var loss = HistoryLoss()

    /// `after` is the token of the snapshot, 0 without one; `date` is for what is lost before the first change.
    ///
    /// It begins after `newest`, which is here already.
    init(
        _ store: any ObjectStore, after snapshot: Int64, from newest: Int64 = 0, date: Date
    ) throws(ObjectStoreError) {
        (self.store, self.snapshot, self.newest, self.date) = (store, snapshot, newest, date)
        segments = try MirrorSegment.all(in: store)[...]
        end = segments.map(\.tokens.upperBound).max() ?? 0
    }

    /// Some lines with their newlines; nil at the end.
    ///
    /// A lost change is an empty one, so that tokens have no gaps.
    mutating func next() throws(ObjectStoreError) -> [UInt8]? {
        while newest < end {
            while let segment = segments.first, segment.tokens.lowerBound <= newest + 1 {
                segments.removeFirst()
                if segment.tokens.upperBound > newest { try read(segment) }
                if waiting[newest + 1] != nil { break }
            }
            if let lines = takeWaiting() { return lines }
            let following = min(segments.first?.tokens.lowerBound ?? end + 1, waiting.keys.min() ?? end + 1)
            if let lines = lose(newest + 1...following - 1) { return lines }
        }
        return nil
    }

    /// Of a reader that begins with the newest line that is here: what follows it in the same read; nil where the store
    /// has another line there, or none.
    mutating func rest(after begun: BegunJournal) throws(ObjectStoreError) -> [UInt8]? {
        let line = begun.line + [UInt8(ascii: "\n")]
        guard let lines = try next(), lines.starts(with: line), loss.changes == 0 else { return nil }
        return Array(lines.dropFirst(line.count))
    }

    /// Those that follow on the newest; nil where the next one is not here.
    private mutating func takeWaiting() -> [UInt8]? {
        var lines: [UInt8] = []
        while let line = waiting.removeValue(forKey: newest + 1) {
            lines += Array(line.utf8) + [UInt8(ascii: "\n")]
            newest += 1
            date = JournalReader.line(Array(line.utf8)[...])?.date ?? date
        }
        return lines.isEmpty ? nil : lines
    }

    private mutating func lose(_ tokens: ClosedRange<Int64>) -> [UInt8]? {
        newest = tokens.upperBound
        guard tokens.upperBound > snapshot else { return nil }
        let missed = max(tokens.lowerBound, snapshot + 1)...tokens.upperBound
        let suspects = damaged.filter { $0.tokens.overlaps(missed) }.map(\.key)
        // None has these tokens: the one that should is not there at all.
        loss.add(missed.count, in: suspects.isEmpty ? [MirrorSegment.key(missed)] : suspects)
        return missed.flatMap { token in
            Array((HistoryLine.lost(token, at: date).journalText + "\n").utf8)
        }
    }

    /// Its lines come to those that wait; what is no line of its tokens does not.
    private mutating func read(_ segment: MirrorSegment) throws(ObjectStoreError) {
        let lines = try (textIfPresent(segment.key, in: store) ?? "").split(separator: "\n")
        var found: [Int64: Substring] = [:]
        for (index, line) in lines.enumerated() {
            guard let token = JournalReader.line(Array(line.utf8)[...])?.token, segment.tokens.contains(token),
                lines.count != segment.count || token == segment.tokens.lowerBound + Int64(index)
            else { continue }
            found[token] = better(found[token], line)
        }
        if found.count != segment.count { damaged.append(segment) }
        for (token, line) in found where token > newest { waiting[token] = better(waiting[token], line) }
    }

    /// The first, if it does not stand for a lost change.
    private func better(_ first: Substring?, _ second: Substring) -> Substring {
        guard let first else { return second }
        return JournalReader.line(Array(first.utf8)[...])?.isLost == true ? second : first
    }
}

/// Changes that the store had, and has no more.
package struct HistoryLoss: Sendable, Equatable {
    package private(set) var changes = 0
    /// The objects that should have them.
    package private(set) var objects: [String] = []

    mutating func add(_ count: Int, in keys: [ObjectKey]) {
        changes += count
        for key in keys where !objects.contains(key.text) { objects.append(key.text) }
    }
}
