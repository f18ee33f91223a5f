package import FoundationEssentials
package import PhotoModel
import SQLite

/// What a scan asks of a source: a row for each file of a folder is read for it at every start.
package struct SourceGlance: Sendable, Equatable {
    package var path: PathBytes
    package var isMapped: Bool
    package var outcome: Outcome
    package var reason: Reason
    /// What statx(2) has said; nothing that is bytes.
    package var evidence: SourceEvidence?
    package var rulesVersion: Int?
    package var isRemoved: Bool
    package var hasDeparted: Bool

    package init(_ source: Source) {
        (path, isMapped) = (source.key.path, source.localIdentifier != nil)
        (outcome, reason, rulesVersion) = (source.outcome, source.reason, source.rulesVersion)
        (isRemoved, hasDeparted) = (source.isRemoved, source.departure != nil)
        guard let known = source.evidence else { return }
        evidence = SourceEvidence(
            fileSystem: nil, inode: known.inode, handle: nil, born: known.born, modified: known.modified,
            changed: known.changed, byteCount: known.byteCount, hash: nil)
    }

    fileprivate init(
        _ row: borrowing Row, _ outcomes: inout LastWord<Outcome>, _ reasons: inout LastWord<Reason>
    ) throws {
        path = PathBytes(row.blob(0))
        isMapped = row.bool(1)
        outcome = try outcomes.read(row, 2)
        reason = try reasons.read(row, 3)
        rulesVersion = row.intIfPresent(9)
        isRemoved = row.bool(10)
        hasDeparted = row.bool(11)
        guard !row.isNull(4) else { return }
        evidence = SourceEvidence(
            fileSystem: nil, inode: row.bits(4), handle: nil, born: row.integerIfPresent(5), modified: row.integer(6),
            changed: row.integer(7), byteCount: row.integer(8), hash: nil)
    }

    /// Whether the file may still be where it was, as far as is known.
    package var isPresent: Bool { !isRemoved && !hasDeparted }
}

/// Reads the words of a column of which most are the one before: comparing bytes is quicker than finding a word.
private struct LastWord<Word: RawRepresentable> where Word.RawValue == String {
    private var text: [UInt8] = []
    private var word: Word?

    mutating func read(_ row: borrowing Row, _ column: Int) throws -> Word {
        let isSame = row.withText(column) { $0.elementsEqual(text) }
        if isSame, let word { return word }
        let found: Word = try row.word(column)
        (text, word) = (Array(found.rawValue.utf8), found)
        return found
    }
}

extension Catalogue {
    /// The sources of a folder in the order of their path bytes, after a path: what a scan is merged with.
    package func glances(in folder: UUID, after path: PathBytes?, limit: Int) throws -> [SourceGlance] {
        var (outcomes, reasons) = (LastWord<Outcome>(), LastWord<Reason>())
        // Two statements: with an OR in one, each page would be looked for from the folder's first path on.
        return try connection.all(
            """
            SELECT path, asset IS NOT NULL, outcome, reason, inode, born, modified, changed, byteCount, rulesVersion,
                isRemoved, departedDate IS NOT NULL
            FROM source WHERE folder = (SELECT id FROM folder WHERE uuid = ?) AND path \(path == nil ? ">=" : ">") ?
            ORDER BY path LIMIT ?
            """, .uuid(folder), .blob(path?.bytes ?? []), .integer(Int64(limit))
        ) { try SourceGlance($0, &outcomes, &reasons) }
    }
}
