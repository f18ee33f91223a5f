package import PhotoModel

/// The history as an undo sees it: what one change touched, before it, after it, and now.
///
/// Fold every line into it, from the first to the newest.
package struct UndoBasis: Sendable {
    package let token: Int64
    package let requests: [ChangeRequest]
    /// The newest line that was folded.
    package private(set) var newest: Int64 = 0
    private(set) var before: Past
    private(set) var after: Past
    private(set) var now: Past

    package init(undoing line: HistoryLine) throws {
        token = line.token
        requests = try changeRequests(fromHistory: line.changes)
        now = Past(of: UndoScope(requests))
        (before, after) = (now, now)
    }

    package mutating func take(_ line: HistoryLine) throws {
        guard line.token > newest else { return }
        newest = line.token
        if line.token == token { before = now }
        for request in try changeRequests(fromHistory: line.changes) { now.take(request) }
        if line.token == token { after = now }
    }
}
