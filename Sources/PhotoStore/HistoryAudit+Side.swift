/// Which of two texts of one change is to be believed.
extension HistoryAudit {
    /// Which is wrong of two texts of one change; nil where they say the same, or where the journal's is half a line.
    static func side(journal: [UInt8], history: [UInt8]?) -> HistoryFault.Side? {
        let sum = LineSum(of: journal[...])
        if sum == .wrong { return history.map { isTrue($0, to: journal) ? .journal : .unknown } }
        guard let line = JournalReader.line(journal[...]) else { return nil }
        let own = history.flatMap { JournalReader.line($0[...]) }
        if own == line { return nil }
        if line.isLost, let history { return own?.isWritten(as: history) == true ? .journal : .unknown }
        let isLineWhole = sum == .right || line.isWritten(as: journal)
        guard let history else { return isLineWhole ? .history : .unknown }
        let isOwnWhole = own?.isWritten(as: history) ?? false
        if sum == .right { return isOwnWhole && isOtherChange(line, own) ? .unknown : .history }
        return switch (isLineWhole, isOwnWhole) {
        case (true, false): .history
        case (false, true): .journal
        default: .unknown
        }
    }

    /// Whether a text is the one that a damaged line has the sum of, or is what albumd writes: that sum may be what is
    /// damaged.
    private static func isTrue(_ history: [UInt8], to journal: [UInt8]) -> Bool {
        LineSum.written(in: journal[...]) == LineSum.digits(of: history.dropLast())
            || JournalReader.line(history[...])?.isWritten(as: history) ?? false
    }

    /// Damage has one place: what differs in its date and in its requests was never the same change.
    private static func isOtherChange(_ line: JournalLine, _ own: JournalLine?) -> Bool {
        line.date != own?.date && line.changes != own?.changes
    }
}
