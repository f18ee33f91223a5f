import PhotoModel
import Platform

/// One history in catalogue, journal and snapshots: before anything is added to either, they are held together.
extension LibraryDirectory {
    /// Throws `historiesDiffer` where the newest change that a catalogue and the journal both have is not the same.
    ///
    /// A catalogue of another library, appended to this one's journal, would ruin both. Damage has one place in a line:
    /// only what differs in its date and in its requests is another change.
    func requireHistory(of catalogue: Catalogue, named name: String, files: any FileVerbs) throws {
        guard try catalogue.hasHistory() else { return }
        let newest = try catalogue.lastToken()
        // What is the same text has not to be read.
        if let last = try JournalReader(files: files, directory: journal).newestBytes(), last.token == newest,
            let own = try catalogue.historyLine(newest), own.isWritten(as: last.bytes)
        {
            return
        }
        var token = newest
        // What stands for a lost change says nothing; of many that follow each other there is nothing to be told.
        for _ in 0..<8 {
            guard let line = try newestCommonLine(upTo: token, files: files),
                let own = try catalogue.historyLine(line.token)
            else { return }
            guard own.isLost || line.isLost else { return try require(own, asIn: line, named: name) }
            token = line.token - 1
        }
    }

    private func require(_ own: HistoryLine, asIn line: JournalLine, named name: String) throws {
        guard try own.date != line.date && own.changes != historyText(line.changes) else { return }
        throw LibraryError.historiesDiffer(path: LibraryDirectory.display(path), token: line.token, file: name)
    }

    private func newestCommonLine(upTo token: Int64, files: any FileVerbs) throws -> JournalLine? {
        let reader = JournalReader(files: files, directory: journal)
        guard token > 0, let newest = try reader.newestLine() else { return nil }
        if newest.token <= token { return newest }
        var lines = try reader.lines(after: token - 1)
        let line = try lines.next()
        return line?.token == token ? line : nil
    }
}
