/// The history in the store, in the order of its tokens, each token once.
///
/// Where the store has a snapshot, what is wanting before it is no loss: such segments are passed over. One that is wanting
/// after it is `MirrorError.damaged`.
struct SegmentReader {
    private let store: any ObjectStore
    private let snapshot: Int64
    private var segments: ArraySlice<MirrorSegment>
    /// The newest token that was handed over.
    private var newest: Int64 = 0
    /// The last one that is not what its name says; another one may have the same tokens.
    private var damaged: MirrorSegment?

    /// `after` is the token of the snapshot, 0 without one.
    init(_ store: any ObjectStore, after snapshot: Int64) throws(ObjectStoreError) {
        (self.store, self.snapshot) = (store, snapshot)
        segments = try MirrorSegment.all(in: store)[...]
    }

    /// Some lines with their newlines; nil at the end.
    mutating func next() throws -> [UInt8]? {
        while let segment = segments.popFirst() {
            guard segment.tokens.upperBound > newest else { continue }
            guard let lines = try lines(of: segment) else { continue }
            let fresh = lines.dropFirst(Int(max(0, newest + 1 - segment.tokens.lowerBound)))
            newest = segment.tokens.upperBound
            return Array((fresh.joined(separator: "\n") + "\n").utf8)
        }
        if let damaged, damaged.tokens.upperBound > max(newest, snapshot) {
            throw MirrorError.damaged(key: damaged.key.text)
        }
        return nil
    }

    /// Nil where it is not what its name says: whether anybody needs it, those after it tell.
    private mutating func lines(of segment: MirrorSegment) throws -> [Substring]? {
        guard segment.tokens.lowerBound <= max(newest, snapshot) + 1 else {
            throw MirrorError.damaged(key: (damaged ?? segment).key.text)
        }
        do throws(ObjectStoreError) {
            let lines = try text(segment.key, in: store).split(separator: "\n")
            if lines.count == segment.count { return lines }
        } catch {
            guard error.kind == .notFound else { throw error }
        }
        damaged = segment
        return nil
    }
}
