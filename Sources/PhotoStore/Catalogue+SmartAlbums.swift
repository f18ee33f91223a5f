package import FoundationEssentials
package import PhotoModel
import SQLite

/// Smart albums: who is in them follows from the facts of assets, and for two of them from when they came.
extension Catalogue {
    /// The smart albums that an asset is in by its facts, by name.
    package func smartAlbums(of identifier: LocalIdentifier) throws -> [SmartAlbum] {
        try connection.all(
            "SELECT album FROM smartMember WHERE asset = (SELECT id FROM asset WHERE uuid = ?) ORDER BY album",
            .uuid(identifier.uuid)
        ) { SmartAlbum(rawValue: $0.text(0)) }.compactMap { $0 }
    }

    /// How many live assets each has at an instant; what has none is not there.
    package func smartAlbumCounts(at now: Date) throws -> [SmartAlbum: Int] {
        var counts: [SmartAlbum: Int] = try remembered(.smartAlbums) {
            let rows = try connection.all(
                """
                SELECT album, count(*) FROM smartMember JOIN asset ON asset.id = smartMember.asset
                WHERE state = 'live' GROUP BY album
                """
            ) { (SmartAlbum(rawValue: $0.text(0)), $0.int(1)) }
            return rows.reduce(into: [:]) { counts, row in if let album = row.0 { counts[album] = row.1 } }
        }
        let assets = try assetCount()
        let last = try lastRow(addedBefore: SmartAlbum.startOfRecent(at: now))
        let recent = try remembered(.recentlyAdded) {
            (last: last, count: try countOfLive(after: last))
        }
        // The day has moved on, and nothing else has.
        let count = recent.last == last ? recent.count : try countOfLive(after: last)
        counts[.recents] = assets > 0 ? assets : nil
        counts[.recentlyAdded] = count > 0 ? count : nil
        return counts
    }

    /// A page of the live assets that are in one at an instant, oldest arrival first.
    package func assets(
        in album: SmartAlbum, at now: Date, after cursor: Int64, limit: Int
    ) throws -> Page<Asset> {
        switch album {
        case .recents: return try assets(after: cursor, limit: limit)
        case .recentlyAdded:
            let last = try lastRow(addedBefore: SmartAlbum.startOfRecent(at: now))
            return try assets(after: max(cursor, last), limit: limit)
        default: break
        }
        let rows = try connection.all(
            Self.assetColumns("id") + """
                FROM smartMember JOIN asset ON asset.id = smartMember.asset
                WHERE album = ? AND smartMember.asset > ? AND state = 'live' ORDER BY smartMember.asset LIMIT ?
                """, .text(album.rawValue), .integer(cursor), .integer(Int64(limit))
        ) { try AssetRow($0) }
        return try page(rows, limit: limit)
    }

    private func countOfLive(after row: Int64) throws -> Int {
        try connection.first("SELECT count(*) FROM asset WHERE id > ? AND state = 'live'", .integer(row)) {
            $0.int(0)
        } ?? 0
    }

    /// The last asset that came before an instant, or 0.
    ///
    /// Row numbers grow with time, so that halving finds it: one of a clock that ran ahead may end the search early.
    private func lastRow(addedBefore instant: Date) throws -> Int64 {
        var earlier: Int64 = 0
        var later = (try connection.first("SELECT max(id) FROM asset") { $0.integer(0) } ?? 0) + 1
        while later - earlier > 1 {
            let middle = earlier + (later - earlier) / 2
            let isEarlier =
                try connection.first(
                    "SELECT addedDate < ?2 FROM asset WHERE id <= ?1 ORDER BY id DESC LIMIT 1", .integer(middle),
                    .date(instant)
                ) { $0.int(0) == 1 } ?? true
            if isEarlier { earlier = middle } else { later = middle }
        }
        return earlier
    }
}

extension SmartAlbum {
    /// Of a whole day, so that what is counted stays the same for one.
    fileprivate static func startOfRecent(at now: Date) -> Date {
        let day: Int64 = 86_400_000_000
        return Date(microseconds: (now.microseconds / day - Int64(recentDays)) * day)
    }
}
