import Glibc
import PhotoModel
import Platform

/// A directory that a walk has come to, or soon will, and what was looked into of those in it, ahead of their turn.
struct ScanLevel: Sendable {
    var look: DirectoryLook
    var path = PathBytes([])
    /// Directories that were looked into, by their index.
    private var ahead: [Int: Result<ScanLevel, FileError>] = [:]
    /// Those after them, some at a time.
    private var begun: [BegunLooks] = []

    init(_ look: DirectoryLook) { self.look = look }

    /// The directory that was taken last of the entries.
    mutating func take(_ lookAhead: LookAhead) throws(FileError) -> ScanLevel {
        let index = look.next - 1
        if ahead[index] == nil { finish(from: index, lookAhead) }
        guard let level = ahead.removeValue(forKey: index) else { throw FileError(code: ENOENT, verb: "look into") }
        return try level.get()
    }

    /// Begins with further directories; false where there are no more.
    mutating func beginMore(_ lookAhead: LookAhead) -> Bool {
        let first = max(look.next, (ahead.keys.max() ?? -1) + 1)
        while begun.count < lookAhead.begunCount {
            let next = lookAhead.begin(in: look, from: begun.last?.indices.last.map { $0 + 1 } ?? first)
            guard !next.indices.isEmpty else { return false }
            begun.append(next)
        }
        return true
    }

    /// Begins in the directory that comes next, where that was looked into.
    mutating func beginInNext(_ lookAhead: LookAhead) {
        guard let index = ahead.keys.min(), case .success(var next)? = ahead[index], next.begun.isEmpty else { return }
        _ = next.beginMore(lookAhead)
        ahead[index] = .success(next)
    }

    private mutating func finish(from index: Int, _ lookAhead: LookAhead) {
        // What was begun comes in order; whatever else it were, a directory that is there is looked into.
        while let first = begun.first, !first.indices.contains(index) { begun.removeFirst() }
        let looks = begun.isEmpty ? lookAhead.begin(in: look, from: index) : begun.removeFirst()
        for (index, look) in zip(looks.indices, looks.finish()) { ahead[index] = look.map { ScanLevel($0) } }
    }
}
