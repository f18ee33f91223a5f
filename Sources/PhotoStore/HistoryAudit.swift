import Platform

/// Every whole line of the journal held against the history, in pages that their asker pulls.
///
/// A token that the journal has not at all is a gap: see `JournalAudit`.
package struct HistoryAudit: Sendable {
    /// Whoever has more has the journal of another library.
    package static let limit = 1000

    package private(set) var faults: [HistoryFault] = []
    private let reader: JournalReader
    private let newest: Int64
    private var months: [[UInt8]]
    private var file: JournalFile?

    /// Lines after `token` may be being written, and are passed over.
    package init(_ reader: JournalReader, upTo token: Int64) throws {
        (self.reader, newest) = (reader, token)
        months = try reader.months().reversed()
    }

    /// Itself, when it has looked at the next lines, and whether there are more.
    ///
    /// Blocks.
    package func advanced(in catalogue: Catalogue) throws -> (audit: HistoryAudit, isMore: Bool) {
        var next = self
        let isMore = try next.advance(in: catalogue)
        return (next, isMore)
    }

    private mutating func advance(in catalogue: Catalogue) throws -> Bool {
        for _ in 0..<5000 {
            guard faults.count < HistoryAudit.limit, let line = try nextLine() else {
                try resolve(in: catalogue)
                return false
            }
            if let fault = try fault(of: line, in: catalogue) { faults.append(fault) }
        }
        return true
    }

    private mutating func nextLine() throws -> JournalFile.Line? {
        while true {
            if let line = try file?.next() { return line }
            guard let month = months.last, file == nil || months.count > 1 else { return nil }
            if file != nil { months.removeLast() }
            file = try reader.open(months.last ?? month, at: 0)
        }
    }

    private func fault(of line: JournalFile.Line, in catalogue: Catalogue) throws -> HistoryFault? {
        guard let token = reader.leadingToken(line.bytes), token <= newest else { return nil }
        let own = try catalogue.historyLine(token)
        if let own, own.isWritten(as: line.bytes) { return nil }
        // What stands for a lost change is no side of it: see `lostTokens`.
        let isLost = own?.isLost ?? false
        let text = isLost ? nil : own.map { Array($0.json.utf8) }
        guard let side = HistoryAudit.side(journal: Array(line.bytes), history: text) else { return nil }
        let fault = HistoryFault(
            token: token, side: side, journalText: Array(line.bytes), month: months.last ?? [], offset: line.offset,
            historyText: text)
        return isLost && (side != .history || fault.journalLine == nil) ? nil : fault
    }

    private mutating func resolve(in catalogue: Catalogue) throws {
        try resolveByAgreement(in: catalogue)
        resolveBySum()
        faults = faults.inOrderOfMending
    }

    /// Where another line of the journal agrees with the history, the one that does not is wrong.
    private mutating func resolveByAgreement(in catalogue: Catalogue) throws {
        let open = Set(faults.filter { $0.mayBeOutvoted || $0.isPlaceholder }.map(\.token))
        guard !open.isEmpty else { return }
        var agreed: Set<Int64> = []
        for month in try reader.months() {
            var file = try reader.open(month, at: 0)
            while let bytes = try file.next()?.bytes {
                guard let token = reader.leadingToken(bytes), open.contains(token),
                    let own = try catalogue.historyLine(token), own.isWritten(as: bytes)
                else { continue }
                agreed.insert(token)
            }
        }
        for index in faults.indices where faults[index].mayBeOutvoted && agreed.contains(faults[index].token) {
            faults[index].side = .journal
        }
        // Nobody reads it where the whole line is.
        faults.removeAll { $0.isPlaceholder && agreed.contains($0.token) }
    }

    /// Of several lines of one change that has to be mended, one with its right sum is right; two such that differ are not of
    /// one library.
    private mutating func resolveBySum() {
        let right = Dictionary(grouping: faults.filter { $0.side == .history && $0.sum == .right }, by: \.token)
        for index in faults.indices {
            let lines = (right[faults[index].token] ?? []).compactMap(\.journalLine)
            guard let line = lines.first else { continue }
            let isOne = lines.allSatisfy { $0 == line }
            faults[index].side = !isOne ? .unknown : faults[index].journalLine == line ? .history : .journal
        }
    }
}
