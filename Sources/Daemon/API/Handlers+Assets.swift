import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// Assets and their originals.
extension LibraryService {
    /// All, those of an album or of a smart one, or those with an original that is there, as the query has it.
    func assets(_ paging: Paging, _ query: [String: String]) async throws -> PageOf<AssetRow> {
        let residency = try query["residency"].map { word throws(Problem) in
            guard let residency = Residency(rawValue: word) else {
                throw .badRequest(
                    "'residency' is '\(word)', and must be one of "
                        + Residency.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return residency
        }
        let smart = try query["smart"].map { title throws(Problem) in
            guard let album = SmartAlbum(rawValue: title) else { throw .noSmartAlbum(title) }
            return album
        }
        let album = query["album"]
        guard [album != nil, residency != nil, smart != nil].count(where: { $0 }) < 2 else {
            throw Problem.badRequest("album, residency and smart exclude each other")
        }
        let (after, limit) = (paging.after, paging.limit)
        let identifier = try await album.asyncMap { try await self.albumNamed($0) }
        return try await read { catalogue in
            try catalogue.reading {
                let page =
                    if let residency {
                        try catalogue.assets(withResidency: residency, after: after, limit: limit)
                    } else if let smart {
                        try catalogue.assets(in: smart, at: self.machine.now(), after: after, limit: limit)
                    } else if let identifier {
                        try catalogue.assets(in: identifier, after: after, limit: limit)
                    } else {
                        try catalogue.assets(after: after, limit: limit)
                    }
                let arePlain = try !catalogue.hasPins() && self.doubtedOriginals.isEmpty
                let rows = try page.rows.map { asset in
                    arePlain ? AssetRow(asset, isPinned: false, until: nil) : try self.assetRow(asset, in: catalogue)
                }
                return PageOf(rows: rows, next: page.next)
            }
        }
    }

    /// An album by identifier, or by a title that exactly one has.
    func albumNamed(_ name: String) async throws -> LocalIdentifier {
        if let identifier = LocalIdentifier(name) {
            guard try await read({ try $0.hasAlbum(identifier) }) else { throw LibraryError.noSuchAlbum(identifier) }
            return identifier
        }
        let titled = try await read { try $0.identifiersOfAlbums(titled: PathBytes(name)) }
        guard titled.count < 2 else { throw Self.ambiguous(titled.count) }
        guard let album = titled.first else {
            throw Problem(
                "noAlbum", title: "There is no such album", status: 404, detail: "no album is titled '\(name)'",
                code: 3201, fix: "albumctl album list", exitCode: 4)
        }
        return album
    }

    func asset(_ identifier: LocalIdentifier) async throws -> AssetRow {
        try await read { catalogue in
            try catalogue.reading {
                let asset = try self.existingAsset(identifier, in: catalogue)
                return try self.wholeRow(of: asset, in: catalogue)
            }
        }
    }

    /// All that is known of one asset.
    func wholeRow(of asset: Asset, in catalogue: Catalogue) throws -> AssetRow {
        var row = try assetRow(asset, in: catalogue)
        row.show(try factsRow(of: asset, in: catalogue))
        let roots = try roots(in: catalogue)
        row.show(try catalogue.sources(of: asset.localIdentifier)) { absolute($0, roots: roots) }
        row.burst = try row.facts?.burstIdentifier.flatMap { try burst($0, in: catalogue) }
        return row
    }

    /// Nil for a picture that is alone.
    private func burst(_ identifier: String, in catalogue: Catalogue) throws -> BurstRow? {
        let members = try catalogue.assets(havingBurstIdentifier: identifier)
        guard members.count > 1, let first = members.first else { return nil }
        let cover = members.first { $0.filename.bytes.contains(Array("_COVER.".utf8)) }
        return BurstRow(count: members.count, representative: (cover ?? first).asset)
    }

    func assetRow(_ asset: Asset, in catalogue: Catalogue) throws -> AssetRow {
        let pin = try pin(of: asset.localIdentifier, in: catalogue)
        var row = AssetRow(asset, isPinned: pin.isPinned, until: pin.until)
        row.doubt(doubtedOriginals)
        return row
    }
    /// Whether an asset is pinned now, and until when, where that has an end.
    func pin(of asset: LocalIdentifier, in catalogue: Catalogue) throws -> (isPinned: Bool, until: Date?) {
        guard let until = try catalogue.pin(of: asset), until.map({ $0 > machine.now() }) ?? true else {
            return (false, nil)
        }
        return (true, until)
    }

    /// An asset that is there, in Recently Deleted or not.
    func existingAsset(_ identifier: LocalIdentifier, in catalogue: Catalogue) throws -> Asset {
        guard let asset = try catalogue.asset(identifier) else { throw LibraryError.noSuchAsset(identifier) }
        guard asset.state != .purged else { throw LibraryError.assetPurged(identifier) }
        return asset
    }
}

extension Problem {
    fileprivate static func noSmartAlbum(_ title: String) -> Problem {
        badRequest(
            "'smart' is '\(title)', and must be one of " + SmartAlbum.allCases.map(\.rawValue).joined(separator: ", "))
    }
}

extension Optional {
    func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
