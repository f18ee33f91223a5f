import PhotoModel
import PhotoStore

/// What becomes of a source's row.
extension Change {
    /// Records an outcome.
    ///
    /// One that says nothing of the bytes, as that they may not be read now or are covered by a mount, leaves the
    /// mapping of those before, their evidence and their release, as they are: what is found when they can be read again
    /// is then judged as if nothing had been.
    mutating func record(_ source: Source) throws {
        guard !source.outcome.isMapped, source.outcome != .skipped || source.reason == .otherFileSystem,
            let known = try catalogue.source(source.key), known.localIdentifier != nil
        else { return try perform(.recordSource(source)) }
        var source = source
        source.localIdentifier = known.localIdentifier
        source.evidence = known.evidence
        (source.isRemoved, source.isReleased) = (known.isRemoved, known.isReleased)
        try perform(.recordSource(source))
    }

    /// Records that a source still has the bytes that it is known for; gives the row, nil where it is another by now.
    mutating func renew(_ evidence: SourceEvidence, of key: SourceKey) throws -> Source? {
        guard var row = try catalogue.source(key), row.isPresent, row.evidence?.hash == evidence.hash,
            try row.localIdentifier.flatMap({ try catalogue.asset($0) })?.state == .live
        else { return nil }
        row.evidence = evidence
        // What could not be read for a while is what it was before; what an undo put back stays that.
        if !row.outcome.isMapped, row.reason != .putBack {
            (row.outcome, row.reason, row.detail) = (.imported, .sameContent, nil)
        }
        try perform(.recordSource(row))
        return row
    }

    /// Records that a mapped source is gone; where the row says otherwise by now, nothing.
    mutating func depart(_ key: SourceKey, _ evidence: Departure.Evidence, isTrashed: Bool) throws {
        guard var row = try catalogue.source(key), row.isMappedAndPresent else { return }
        row.departure = Departure(date: date, evidence: evidence)
        try perform(.recordSource(row))
        let fate = isTrashed ? "what it leaves without a source goes to Recently Deleted" : "the asset stays"
        tell("its file is gone (\(evidence.rawValue)); \(fate)", of: key)
    }

    /// Records that nothing is at the path any more.
    ///
    /// A source without an asset leaves nothing to tell. A mapping stays, since absence is not deletion, but nothing
    /// waits there any more.
    mutating func noteGone(_ key: SourceKey) throws {
        guard var row = try catalogue.source(key), row.waits else { return }
        guard row.localIdentifier != nil else { return try perform(.forgetSource(key)) }
        (row.outcome, row.reason, row.detail) = (.imported, .sameContent, nil)
        try perform(.recordSource(row))
    }
}

extension SourceGlance {
    /// Whether there is something to forget or to put right when the file is gone.
    ///
    /// What an undo put back stays known as that: the file may come to light elsewhere.
    var waits: Bool { !isMapped || !outcome.isMapped && (reason != .putBack || isRemoved) }
}

extension Source {
    var waits: Bool { SourceGlance(self).waits }
}
