package import FoundationEssentials
package import PhotoModel
import SQLite

/// Reading where originals are, and what is to be done about it.
extension Catalogue {
    /// The proof of a content that is in the cloud; nil for one that is here alone.
    package func cloudCopy(of hash: ContentHash) throws -> CloudCopy? {
        try connection.first(
            "SELECT key, versionID, uploadedDate, verifiedDate FROM cloudCopy WHERE hash = ?", .blob(hash.bytes)
        ) {
            CloudCopy(
                key: $0.text(0), versionID: $0.isNull(1) ? nil : $0.text(1), uploadedDate: $0.date(2),
                verifiedDate: $0.date(3))
        }
    }

    /// Every content that is in the cloud.
    package func copiedContents() throws -> [ContentHash] {
        try connection.all("SELECT hash FROM cloudCopy") { try $0.hash(0) }
    }

    package func hasCopies() throws -> Bool {
        try connection.first("SELECT EXISTS (SELECT 1 FROM cloudCopy)") { $0.integer(0) == 1 } ?? false
    }

    /// A page of live assets that have an original with this residency, oldest arrival first.
    package func assets(
        withResidency residency: Residency, after cursor: Int64, limit: Int
    ) throws -> Page<Asset> {
        let rows = try connection.all(
            Self.assetColumns("id") + """
                FROM asset WHERE id > ? AND state = 'live' AND EXISTS (
                    SELECT 1 FROM resource JOIN version ON version.resource = resource.id
                    JOIN content ON content.hash = version.hash
                    WHERE resource.asset = asset.id AND residency = ?)
                ORDER BY id LIMIT ?
                """, .integer(cursor), .text(residency.rawValue), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit)
    }

    /// Transfers that were begun and have not ended, by hash.
    package func transfers() throws -> [TransferChange] {
        try connection.all("SELECT hash, transfer, requestedBy FROM transfer ORDER BY hash") {
            TransferChange(hash: try $0.hash(0), transfer: try $0.word(1), requestedBy: try $0.word(2))
        }
    }

    /// How many originals, and bytes of them, are where; residencies that none has are left out.
    package func residencyCounts() throws -> [Residency: (count: Int, byteCount: Int64)] {
        try remembered(.residencies) {
            let rows = try connection.all(
                "SELECT residency, count(*), sum(byteCount) FROM content GROUP BY residency"
            ) { (try $0.word(0, Residency.self), (count: $0.int(1), byteCount: $0.integer(2))) }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Originals that are not where they should be; of `inCloud`, those that are lost.
    package func missingCounts() throws -> [Residency: (count: Int, byteCount: Int64)] {
        try remembered(.missing) {
            let rows = try connection.all(
                """
                SELECT residency, count(*), sum(byteCount) FROM content
                WHERE condition = 'missing' GROUP BY residency
                """
            ) { (try $0.word(0, Residency.self), (count: $0.int(1), byteCount: $0.integer(2))) }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Live assets with an original that only the cloud has.
    package func inCloudAssetCount() throws -> Int {
        try remembered(.inCloudAssets) {
            try connection.first(
                """
                SELECT count(DISTINCT asset.id) FROM content JOIN version ON version.hash = content.hash
                JOIN resource ON resource.id = version.resource JOIN asset ON asset.id = resource.asset
                WHERE residency = 'inCloud' AND condition = 'sound' AND state = 'live'
                """
            ) { $0.int(0) } ?? 0
        }
    }

    /// How many originals neither the disk nor the cloud has.
    package func lostCount() throws -> Int {
        try remembered(.lost) {
            try connection.first("SELECT count(*) FROM content WHERE residency = 'inCloud' AND condition = 'missing'") {
                $0.int(0)
            } ?? 0
        }
    }

    /// The assets, purged ones left out, that have a content as a version.
    package func assetsHaving(_ hash: ContentHash) throws -> [(asset: LocalIdentifier, state: AssetState)] {
        try connection.all(
            """
            SELECT DISTINCT asset.uuid, asset.state FROM version JOIN resource ON resource.id = version.resource
            JOIN asset ON asset.id = resource.asset WHERE version.hash = ? AND asset.state <> 'purged'
            """, .blob(hash.bytes)
        ) { (LocalIdentifier(try $0.uuid(0)), try $0.word(1)) }
    }

    /// Whether an asset is pinned at that instant.
    package func isPinned(_ asset: LocalIdentifier, at date: Date) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM pin JOIN asset ON asset.id = pin.asset
            WHERE asset.uuid = ? AND (until IS NULL OR until > ?)
            """, .uuid(asset.uuid), .date(date)
        ) { _ in true } ?? false
    }

    /// The pin of an asset, over or not: nil where there is none, `.some(nil)` where it is for ever.
    package func pin(of asset: LocalIdentifier) throws -> Date?? {
        try connection.first(
            "SELECT until FROM pin JOIN asset ON asset.id = pin.asset WHERE asset.uuid = ?", .uuid(asset.uuid)
        ) { row -> Date?? in .some(row.isNull(0) ? nil : row.date(0)) } ?? nil
    }

    /// How many originals are pinned at that instant, and bytes of them.
    package func pinnedCount(at date: Date) throws -> (count: Int, byteCount: Int64) {
        guard try hasPins() else { return (0, 0) }
        return try connection.first(
            """
            SELECT count(*), coalesce(sum(byteCount), 0) FROM content WHERE hash IN (
                SELECT version.hash FROM pin JOIN asset ON asset.id = pin.asset AND asset.state = 'live'
                JOIN resource ON resource.asset = asset.id JOIN version ON version.resource = resource.id
                WHERE until IS NULL OR until > ?)
            """, .date(date)
        ) { ($0.int(0), $0.integer(1)) } ?? (0, 0)
    }

    /// Whether any asset is pinned, or was for some time.
    package func hasPins() throws -> Bool {
        try connection.first("SELECT EXISTS (SELECT 1 FROM pin)") { $0.integer(0) == 1 } ?? false
    }

    /// Whether anything but the configured limits has a say in where originals are.
    package func hasTierWishes() throws -> Bool {
        try connection.first("SELECT EXISTS (SELECT 1 FROM pin) OR EXISTS (SELECT 1 FROM albumTier)") {
            $0.integer(0) == 1
        } ?? false
    }

    /// Whether an album with the rule `keepLocal` has an asset with this content.
    package func isKeptByAlbum(_ hash: ContentHash) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM version JOIN resource ON resource.id = version.resource
            JOIN albumMember ON albumMember.asset = resource.asset JOIN albumTier ON albumTier.album = albumMember.album
            WHERE version.hash = ? AND tier = 'keepLocal' LIMIT 1
            """, .blob(hash.bytes)
        ) { _ in true } ?? false
    }

    package func tier(ofAlbum album: LocalIdentifier) throws -> AlbumTier? {
        try connection.first(
            "SELECT tier FROM albumTier JOIN album ON album.id = albumTier.album WHERE album.uuid = ?",
            .uuid(album.uuid)
        ) { try $0.word(0) }
    }

    /// Objects of purged contents that are still in the store, purged before that instant.
    ///
    /// Not of those that a photo has again: until it is copied there, the row remembers the object for the next purge.
    package func objectWork(purgedBefore date: Date, limit: Int) throws -> [(hash: ContentHash, key: String)] {
        try connection.all(
            "SELECT hash, key FROM objectWork WHERE purgedDate <= ? AND \(Self.isPurged) ORDER BY purgedDate LIMIT ?",
            .date(date), .integer(Int64(limit))
        ) { (try $0.hash(0), $0.text(1)) }
    }

    /// When the content was purged whose object is still in the store, as the catalogue writes it; nil where none was.
    func purge(ofObject hash: ContentHash) throws -> String? {
        try connection.first("SELECT CAST(purgedDate AS TEXT) FROM objectWork WHERE hash = ?", .blob(hash.bytes)) {
            $0.text(0)
        }
    }

    private static let isPurged = "NOT EXISTS (SELECT 1 FROM content WHERE content.hash = objectWork.hash)"

    package func objectWorkCount() throws -> Int {
        try connection.first("SELECT count(*) FROM objectWork WHERE \(Self.isPurged)") { $0.int(0) } ?? 0
    }

    /// Whether no photo has it, and none that was purged had it: what named it is lost, where the store has it.
    package func isUnclaimed(_ hash: ContentHash) throws -> Bool {
        try connection.first(
            "SELECT NOT EXISTS (SELECT 1 FROM content WHERE hash = ?1) AND NOT EXISTS (SELECT 1 FROM objectWork WHERE hash = ?1)",
            .blob(hash.bytes)
        ) { $0.integer(0) == 1 } ?? true
    }

    /// Not a change of the library: the work of one that was committed is done.
    func finishObject(_ hash: ContentHash) throws {
        try connection.run("DELETE FROM objectWork WHERE hash = ?", .blob(hash.bytes))
    }

    /// Not a change of the library: only the order of eviction hangs on it.
    func noteUse(of hashes: [ContentHash], at date: Date) throws {
        try connection.transaction(.immediate) {
            for hash in hashes {
                try connection.run(
                    "INSERT INTO lastUse (hash, date) VALUES (?1, ?2) ON CONFLICT (hash) DO UPDATE SET date = ?2",
                    .blob(hash.bytes), .date(date))
            }
        }
    }
}
