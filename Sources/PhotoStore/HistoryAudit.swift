import Platform

/// A change that the journal and the catalogue's history do not have alike.
package struct HistoryFault: Sendable, Equatable {
    /// Which of them is wrong: what was written whole is read back to the very same bytes.
    package enum Side: Sendable, Equatable {
        case history
        case journal
        /// Each could be right.
        case unknown
    }

    package var token: Int64
    package var side: Side
    /// The line of the journal, and where it begins in which of its files.
    package var journalText: [UInt8]
    var month: [UInt8]
    var offset: Int64
    /// The same change in the catalogue; nil where it has none.
    package var historyText: [UInt8]?
}

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
        guard let token = leadingToken(line.bytes), token <= newest else { return nil }
        let own = try catalogue.historyLine(token).map { Array($0.json.utf8) }
        if let own, line.bytes.elementsEqual(own) { return nil }
        guard let side = HistoryAudit.side(journal: Array(line.bytes), history: own) else { return nil }
        return HistoryFault(
            token: token, side: side, journalText: Array(line.bytes), month: months.last ?? [], offset: line.offset,
            historyText: own)
    }

    /// Which is wrong of two texts of one change; nil where they say the same, or where the journal's is no whole line.
    static func side(journal: [UInt8], history: [UInt8]?) -> HistoryFault.Side? {
        guard let line = JournalReader.line(journal[...]) else { return nil }
        let own = history.flatMap { JournalReader.line($0[...]) }
        if own == line { return nil }
        let isLineWhole = line.isWritten(as: journal)
        guard let history else { return isLineWhole ? .history : .unknown }
        return switch (isLineWhole, own?.isWritten(as: history) ?? false) {
        case (true, false): .history
        case (false, true): .journal
        default: .unknown
        }
    }

    /// Where another line of the journal agrees with the history, the one that does not is wrong.
    private mutating func resolve(in catalogue: Catalogue) throws {
        let open = Set(faults.filter { $0.side == .unknown }.map(\.token))
        guard !open.isEmpty else { return }
        var agreed: Set<Int64> = []
        for month in try reader.months() {
            var file = try reader.open(month, at: 0)
            while let bytes = try file.next()?.bytes {
                guard let token = leadingToken(bytes), open.contains(token),
                    let own = try catalogue.historyLine(token), bytes.elementsEqual(own.json.utf8)
                else { continue }
                agreed.insert(token)
            }
        }
        for index in faults.indices where faults[index].side == .unknown && agreed.contains(faults[index].token) {
            faults[index].side = .journal
        }
    }
}

extension JournalLine {
    /// Whether these bytes are what albumd writes of this change.
    fileprivate func isWritten(as bytes: [UInt8]) -> Bool {
        guard let changes = try? PhotoStore.historyText(changes) else { return false }
        return HistoryLine(token: token, date: date, origin: origin, changes: changes).json.utf8.elementsEqual(bytes)
    }
}

/// The token that a line begins with, whole or torn; nil where it begins otherwise, as none that albumd wrote.
private func leadingToken(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let start = Array(#"{"token":"#.utf8)
    guard bytes.starts(with: start) else { return nil }
    let digits = bytes.dropFirst(start.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Int64(String(decoding: digits, as: UTF8.self))
}
