import PhotoModel
package import Platform

extension HistoryLine {
    /// The change, where what is read is written to the very same text; nil where it is damaged, or stands for a lost one.
    package var intactChange: JournalLine? { JournalLine(intact: Array(json.utf8)[...]) }
}

extension JournalLine {
    /// Reads a line; nil where it is damaged, or stands for a lost change.
    package init?(intact bytes: ArraySlice<UInt8>) {
        guard let line = JournalReader.line(bytes), let changes = try? historyText(line.changes) else { return nil }
        let own = HistoryLine(token: line.token, date: line.date, origin: line.origin, changes: changes)
        guard !own.isLost, own.isWritten(as: bytes) else { return nil }
        self = line
    }
}

/// A change that neither the catalogue nor the journal has whole, as another place of the library's has it.
package struct FoundChange: Sendable, Equatable {
    package var line: JournalLine
    /// Where it was found, for a person.
    package var place: String

    package init(_ line: JournalLine, in place: String) { (self.line, self.place) = (line, place) }
}

extension Catalogue {
    /// Which of some tokens the history has no whole change of; what stands for a lost change is none.
    package func unreadableChanges(among tokens: ClosedRange<Int64>) throws -> Set<Int64> {
        var found: Set<Int64> = []
        var next = tokens.lowerBound
        while next <= tokens.upperBound {
            let lines = try history(after: next - 1, limit: 256).prefix { $0.token <= tokens.upperBound }
            for line in lines {
                found.formUnion(next..<line.token)
                if line.intactChange == nil { found.insert(line.token) }
                next = line.token + 1
            }
            guard lines.isEmpty else { continue }
            return found.union(next...tokens.upperBound)
        }
        return found
    }
}

extension LibraryDirectory {
    /// Changes as the snapshots have them, the newest first: each is a copy of the history, too.
    ///
    /// Blocks.
    package func changesInSnapshots(
        _ tokens: Set<Int64>, files: any FileVerbs, vfs: String? = nil
    ) throws -> [FoundChange] {
        var (wanted, found): (Set<Int64>, [FoundChange]) = (tokens, [])
        for name in try snapshotNames(files: files).sorted(by: >) where !wanted.isEmpty {
            let place = "snapshots/\(name)"
            // What is damaged, or another library's, has nothing to give.
            let changes = try? withSnapshot(name, vfs: vfs) { snapshot in
                guard try snapshot.isOurs() else { return [JournalLine]() }
                try requireHistory(of: snapshot, named: place, files: files)
                return try wanted.sorted().compactMap { try snapshot.historyLine($0)?.intactChange }
            }
            found += (changes ?? []).map { FoundChange($0, in: place) }
            wanted.subtract(found.map(\.line.token))
        }
        return found
    }
}

extension PhotoLibrary {
    /// Writes a change of the history as another place has it.
    package func restoreHistory(_ change: FoundChange) throws { try catalogue.rewriteHistory(change.line) }
}
