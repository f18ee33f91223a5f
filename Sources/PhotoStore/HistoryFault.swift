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
    /// The same change in the catalogue; nil where it has none, or a line that stands for a lost one.
    package var historyText: [UInt8]?
}

extension HistoryFault {
    /// What the end of the journal's line says of it.
    var sum: LineSum { LineSum(of: journalText[...]) }

    /// The journal's line; nil where it is none that may be applied, or stands for a lost change.
    package var journalLine: JournalLine? { readLine.flatMap { $0.isLost ? nil : $0 } }

    /// The same, whatever it stands for.
    var readLine: JournalLine? { JournalReader.line(journalText[...]) }

    /// Whether the journal's line stands for a lost change, and the history has the change.
    var isPlaceholder: Bool { readLine?.isLost == true && historyText != nil }

    /// The history's; nil where there is none, or where it is not understood.
    package var historyLine: JournalLine? { historyText.flatMap { JournalReader.line($0[...]) } }

    /// Whether a second line, that is the history's, would say that this one is wrong.
    var mayBeOutvoted: Bool {
        guard side == .history else { return side == .unknown }
        return historyText.map { historyLine?.isWritten(as: $0) ?? false } ?? false
    }
}

extension HistoryLine {
    /// Whether what is read from it is written to the very same text.
    package var isWhole: Bool {
        let text = Array(json.utf8)
        return JournalReader.line(text[...])?.isWritten(as: text) ?? false
    }
}

extension JournalLine {
    /// Whether these bytes are what albumd writes of this change.
    func isWritten(as bytes: [UInt8]) -> Bool {
        guard let changes = try? PhotoStore.historyText(changes) else { return false }
        return HistoryLine(token: token, date: date, origin: origin, changes: changes).isWritten(as: bytes[...])
    }
}
