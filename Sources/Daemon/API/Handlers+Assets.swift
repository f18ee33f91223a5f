import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// Assets and their originals.
extension LibraryService {
    func assets(_ paging: Paging, album: String?) async throws -> PageOf<AssetRow> {
        let (after, limit) = (paging.after, paging.limit)
        let identifier = try await album.asyncMap { try await self.albumNamed($0) }
        return try await read { catalogue in
            let page =
                if let identifier {
                    try catalogue.assets(in: identifier, after: after, limit: limit)
                } else {
                    try catalogue.assets(after: after, limit: limit)
                }
            return PageOf(rows: page.rows.map(AssetRow.init), next: page.next)
        }
    }

    /// An album by identifier, or by a title that exactly one has.
    func albumNamed(_ name: String) async throws -> LocalIdentifier {
        if let identifier = LocalIdentifier(name) { return try await album(identifier).localIdentifier }
        let titled = try await read { try $0.albums(titled: PathBytes(name)) }
        guard titled.count < 2 else { throw Self.ambiguous(titled.count) }
        guard let album = titled.first else {
            throw Problem(
                "noAlbum", title: "There is no such album", status: 404, detail: "no album is titled '\(name)'",
                code: 3201, fix: "albumctl album list", exitCode: 4)
        }
        return album.localIdentifier
    }

    func asset(_ identifier: LocalIdentifier) async throws -> AssetRow {
        AssetRow(try await read { try self.existingAsset(identifier, in: $0) })
    }

    /// An asset that is there, in Recently Deleted or not.
    func existingAsset(_ identifier: LocalIdentifier, in catalogue: Catalogue) throws -> Asset {
        guard let asset = try catalogue.asset(identifier) else { throw LibraryError.noSuchAsset(identifier) }
        guard asset.state != .purged else { throw LibraryError.assetPurged(identifier) }
        return asset
    }

    /// The stored bytes of an asset: `current`, or `original`, the first ones.
    func original(_ identifier: LocalIdentifier, version name: String?) async throws -> Response {
        let versions = try await read { try self.existingAsset(identifier, in: $0).resources.first?.versions ?? [] }
        let version: Version?
        switch name ?? "current" {
        case "current": version = versions.last
        case "original": version = versions.first
        default: throw Problem.badRequest("version is current or original")
        }
        guard let version else { throw LibraryError.noSuchAsset(identifier) }
        return try await send(version)
    }

    private func send(_ version: Version) async throws -> Response {
        guard version.condition == .sound else {
            throw Problem(
                "missingResource", title: "The original is \(version.condition.rawValue)", status: 410,
                detail: "the stored bytes of \(version.content.hash.hexadecimal) are \(version.condition.rawValue)",
                code: 3303, fix: "albumctl repair")
        }
        let originals = library.directory.originals
        let file = try await pool.run { try originals.open(version.content) }
        return Response(
            status: 200, contentType: version.content.contentType,
            headers: [("X-Content-SHA256", version.content.hash.hexadecimal), ("Content-Disposition", "attachment")],
            body: .file(descriptor: file.surrender(), byteCount: version.content.byteCount))
    }
}

extension Optional {
    func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
