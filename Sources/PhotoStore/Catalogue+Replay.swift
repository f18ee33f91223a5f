import FoundationEssentials
import PhotoModel
import SQLite

/// Making the changes of the journal once more: how a catalogue is rebuilt.
extension Catalogue {
    /// Makes one change again, with its token and its date.
    package func replay(_ line: JournalLine) throws {
        try connection.transaction(.immediate) { try replayInTransaction(line) }
    }

    /// Makes them all again, in the order of their tokens, some hundreds in a transaction.
    ///
    /// With `allowingGaps` a lost token gets an empty line. What builds on that, or on a change that was given up before, is
    /// passed over, as it was then. Returns how many requests that was.
    func replay(_ lines: inout JournalLines, allowingGaps: Bool, progress: RebuildProgress) throws -> Int {
        var (skipped, done) = (0, 0)
        let count = lines.count
        var isLossy = try allowingGaps || lostChangeCount() > 0
        while done < count {
            try connection.transaction(.immediate) {
                let end = min(done + 500, count)
                while done < end, let line = try lines.next() {
                    isLossy = isLossy || line.isLost
                    if isLossy {
                        skipped += try replayWhatFits(line, allowingGaps: allowingGaps)
                    } else {
                        try replayInTransaction(line)
                    }
                    done += 1
                }
            }
            progress(done, count)
        }
        return skipped
    }

    private func replayInTransaction(_ line: JournalLine) throws {
        try applyNext(line)
        try append(line)
    }

    /// Makes changes again where their rows alone are wanted: the history gets their tokens, and nothing of their text.
    func replayRows(_ lines: [JournalLine]) throws {
        try connection.transaction(.immediate) {
            for line in lines {
                try applyNext(line)
                try append(JournalLine(token: line.token, date: line.date, origin: line.origin, changes: []))
            }
        }
    }

    private func requireNext(_ line: JournalLine) throws {
        guard try line.token == lastToken() + 1 else { throw LibraryError.journalIncomplete(upTo: line.token) }
    }

    private func applyNext(_ line: JournalLine) throws {
        try requireNext(line)
        do {
            for request in line.changes {
                _ = try apply(request, at: line.date)
            }
        } catch let error as LibraryError {
            throw LibraryError.journalUnfit(token: line.token, why: error.description)
        } catch let error as DatabaseError where error.isConstraint {
            throw LibraryError.journalUnfit(token: line.token, why: error.message)
        }
    }

    private func replayWhatFits(_ line: JournalLine, allowingGaps: Bool) throws -> Int {
        if !allowingGaps { try requireNext(line) }
        let newest = try lastToken()
        for token in newest + 1..<max(newest + 1, line.token) {
            try append(JournalLine(token: token, date: line.date, origin: "lost", changes: []))
        }
        var skipped = 0
        for request in line.changes {
            do {
                try connection.savepoint { _ = try apply(request, at: line.date) }
            } catch is LibraryError {
                skipped += 1
            } catch let error as DatabaseError where error.isConstraint {
                skipped += 1
            }
        }
        try append(line)
        return skipped
    }

    private func append(_ line: JournalLine) throws {
        try connection.run(
            "INSERT INTO history (token, date, origin, changes) VALUES (?, ?, ?, ?)", .integer(line.token),
            .date(line.date), .text(line.origin), .text(try historyText(line.changes)))
    }

    /// Writes a line of the history that is damaged, or is not there, as the journal has it.
    func rewriteHistory(_ line: JournalLine) throws {
        try connection.transaction(.immediate) {
            try connection.run("DELETE FROM history WHERE token = ?", .integer(line.token))
            try append(line)
        }
    }

    /// Whether the history has every token from 1 on: the pages of two catalogues mixed would hardly.
    func hasWholeHistory() throws -> Bool {
        try connection.first("SELECT count(*) = coalesce(max(token), 0) FROM history") { $0.integer(0) == 1 } ?? false
    }

    package func counts() throws -> CatalogueContents {
        try connection.first(
            """
            SELECT (SELECT count(*) FROM asset WHERE state = 'live'), (SELECT count(*) FROM asset WHERE state = 'trashed'),
                (SELECT count(*) FROM album),
                (SELECT count(*) FROM source WHERE asset IS NOT NULL) + (SELECT count(*) FROM externalMapping),
                (SELECT count(*) FROM source JOIN asset ON asset.id = source.asset WHERE asset.state <> 'live')
            """
        ) {
            CatalogueContents(
                assets: $0.int(0), recentlyDeleted: $0.int(1), albums: $0.int(2), mappings: $0.int(3),
                tombstones: $0.int(4))
        } ?? CatalogueContents(assets: 0, recentlyDeleted: 0, albums: 0, mappings: 0, tombstones: 0)
    }
}
