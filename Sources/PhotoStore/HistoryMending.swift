import PhotoModel
package import Platform

extension [HistoryFault] {
    /// The history first, for what the journal gets is written from it; then the newest change first, for whatever else the
    /// journal gets is followed by it.
    package var inOrderOfMending: [HistoryFault] {
        sorted { ($0.side == .history ? 0 : 1, -$0.token) < ($1.side == .history ? 0 : 1, -$1.token) }
    }
}

/// The side of a change that is wrong, written again from the one that is right.
extension PhotoLibrary {
    /// Writes a change of the history as the journal has it.
    ///
    /// The text alone: photos and albums are what the change made of them when it was made. False where the journal's line
    /// is no whole line.
    package func mendHistory(_ fault: HistoryFault) throws -> Bool {
        guard fault.side == .history, let line = fault.readLine else { return false }
        try catalogue.rewriteHistory(line)
        return true
    }
}

extension LibraryDirectory {
    /// Replaces a damaged line of the journal by spaces, durably, so that no reader takes it for one.
    ///
    /// Call it when the right line stands elsewhere in the journal. False where the line is no longer there.
    package func blankOut(_ fault: HistoryFault, files: any FileVerbs) throws -> Bool {
        guard fault.side == .journal else { return false }
        let file = try files.openForUpdating(fault.month, in: journal)
        let count = fault.journalText.count
        let found = try readBytes(file, files: files, at: fault.offset, count: count)
        guard found == fault.journalText else { return false }
        try writeBytes(file, [UInt8](repeating: UInt8(ascii: " "), count: count), files: files, at: fault.offset)
        try files.sync(file)
        return true
    }
}
