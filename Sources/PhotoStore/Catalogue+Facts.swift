package import FoundationEssentials
package import PhotoModel
import SQLite

/// What is known of assets by their bytes, and what is still to be read.
extension Catalogue {
    /// What is known of an asset; nil where nothing was read yet, or could be.
    package func facts(of identifier: LocalIdentifier) throws -> AssetFacts? {
        let text = try connection.first(
            "SELECT facts FROM assetFacts WHERE asset = (SELECT id FROM asset WHERE uuid = ?)", .uuid(identifier.uuid)
        ) { $0.text(0) }
        return try text.map { text in
            do {
                return try historyDecoder().decode(AssetFacts.self, from: Data(text.utf8))
            } catch is DecodingError {
                throw LibraryError.corruptRow("facts")
            }
        }
    }

    /// The facts of an asset as the change that would set them anew; nil where there are none, or they are to be read.
    package func factsToAmend(of identifier: LocalIdentifier) throws -> FactsChange? {
        guard let facts = try facts(of: identifier) else { return nil }
        return try connection.first(
            """
            SELECT hash, creationDate, creationDateSource FROM assetFacts JOIN asset ON asset.id = assetFacts.asset
            WHERE uuid = ? AND state <> 'purged' AND asset.id NOT IN (SELECT asset FROM factsWork)
            """, .uuid(identifier.uuid)
        ) {
            FactsChange(
                of: identifier, hash: try $0.hash(0), facts: facts, creationDate: $0.date(1),
                creationDateSource: try $0.word(2))
        }
    }

    /// What the reader of media said of a content; nil where it was not asked.
    package func reading(of hash: ContentHash) throws -> ContentReading? {
        try connection.first(
            "SELECT hash, reader, facts, unreadable, tries FROM reading WHERE hash = ?", .blob(hash.bytes)
        ) {
            ContentReading(
                hash: try $0.hash(0), reader: $0.int(1), facts: $0.isNull(2) ? nil : $0.text(2),
                unreadable: $0.isNull(3) ? nil : $0.text(3), tries: $0.int(4))
        }
    }

    /// Assets whose current bytes are here, sound, and still to be read: the newest first, of these row numbers.
    package func factsWork(in rows: ClosedRange<Int64>, limit: Int = 1) throws -> [FactsWork] {
        try connection.all(
            """
            SELECT factsWork.asset, asset.uuid, asset.creationDate, asset.creationDateSource, resource.originalFilename,
                content.hash, byteCount, contentType, fileExtension
            FROM factsWork JOIN asset ON asset.id = factsWork.asset
            JOIN resource ON resource.id =
                (SELECT id FROM resource AS one WHERE one.asset = factsWork.asset ORDER BY type LIMIT 1)
            JOIN version ON version.resource = resource.id AND version.ordinal =
                (SELECT max(ordinal) FROM version AS one WHERE one.resource = resource.id)
            JOIN content ON content.hash = version.hash
            WHERE factsWork.asset BETWEEN ? AND ? AND residency <> 'inCloud' AND condition = 'sound'
            ORDER BY factsWork.asset DESC LIMIT ?
            """, .integer(rows.lowerBound), .integer(rows.upperBound), .integer(Int64(limit))
        ) { try FactsWork($0) }
    }

    /// How many assets have facts and how many wait for them, and how many originals were given up.
    package func factsCounts() throws -> FactsCounts {
        let known = try remembered(.facts) {
            try connection.first("SELECT count(*) FROM assetFacts") { $0.int(0) } ?? 0
        }
        return try connection.first(
            """
            SELECT (SELECT count(*) FROM factsWork),
                (SELECT count(*) FROM reading WHERE unreadable IS NOT NULL AND tries >= ?)
            """, .integer(Int64(ContentReading.mostTries))
        ) { FactsCounts(known: known, waiting: $0.int(0), unreadable: $0.int(1)) }
            ?? FactsCounts(known: known, waiting: 0, unreadable: 0)
    }
}

/// What the reader of media said of one content.
package struct ContentReading: Sendable, Equatable {
    /// After so many failures a content is given up, until a newer reader comes.
    package static let mostTries = 3

    package var hash: ContentHash
    /// Which version of the reader.
    package var reader: Int
    /// What it read, as JSON; nil where it could not.
    package var facts: String?
    /// Why it could not.
    package var unreadable: String?
    package var tries: Int

    package init(hash: ContentHash, reader: Int, facts: String?, unreadable: String?, tries: Int) {
        self.hash = hash
        self.reader = reader
        self.facts = facts
        self.unreadable = unreadable
        self.tries = tries
    }

    package var isGivenUp: Bool { unreadable != nil && tries >= Self.mostTries }
}

/// An asset whose current content is to be read, with what it is judged by beside its bytes.
package struct FactsWork: Sendable, Equatable {
    package var row: Int64
    package var localIdentifier: LocalIdentifier
    package var creationDate: Date
    package var creationDateSource: CreationDateSource
    package var originalFilename: PathBytes
    package var content: Content

    init(_ row: borrowing Row) throws {
        self.row = row.integer(0)
        localIdentifier = LocalIdentifier(try row.uuid(1))
        creationDate = row.date(2)
        creationDateSource = try row.word(3)
        originalFilename = PathBytes(row.blob(4))
        content = Content(
            hash: try row.hash(5), byteCount: row.integer(6), contentType: row.text(7), fileExtension: row.text(8))
    }
}

/// How far the reading of facts has come.
package struct FactsCounts: Sendable, Equatable {
    package var known: Int
    package var waiting: Int
    /// Originals that could not be read.
    package var unreadable: Int

    package init(known: Int, waiting: Int, unreadable: Int) {
        self.known = known
        self.waiting = waiting
        self.unreadable = unreadable
    }
}
