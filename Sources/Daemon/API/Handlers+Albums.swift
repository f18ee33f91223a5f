import Control
import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform

/// Albums, and changes that a person asks for.
extension LibraryService {
    func albums(_ paging: Paging) async throws -> PageOf<AlbumRow> {
        let (after, limit) = (paging.after, paging.limit)
        return try await read { catalogue in
            let page = try catalogue.albums(after: after, limit: limit)
            return PageOf(rows: page.rows.map { AlbumRow($0) }, next: page.next)
        }
    }

    func album(_ identifier: LocalIdentifier) async throws -> AlbumRow {
        guard let album = try await read({ try $0.album(identifier) }) else {
            throw LibraryError.noSuchAlbum(identifier)
        }
        return AlbumRow(album)
    }

    func albumsTitled(_ request: TitleRequest) async throws -> PageOf<AlbumRow> {
        let title = PathBytes(request.title)
        return PageOf(rows: try await read { try $0.albums(titled: title).map { AlbumRow($0) } }, next: nil)
    }

    /// The album of that title, made where there is none; the same one however many ask at once (A37).
    func ensureAlbum(_ request: TitleRequest, by peer: Peer) async throws -> AlbumRow {
        let title = try titleBytes(request.title)
        let fresh = LocalIdentifier(machine.makeUUID())
        let identifier = try await library.performChanges(origin: origin(peer)) { change in
            try Self.album(titled: title, fresh: fresh, in: &change)
        }.value
        var row = try await album(identifier)
        row.isNew = identifier == fresh
        return row
    }

    static func album(
        titled title: PathBytes, fresh: LocalIdentifier, in change: inout Change
    ) throws -> LocalIdentifier {
        let titled = try change.catalogue.identifiersOfAlbums(titled: title)
        guard titled.count < 2 else { throw ambiguous(titled.count) }
        if let album = titled.first { return album }
        try change.perform(.createAlbum(AlbumCreation(localIdentifier: fresh, title: title)))
        return fresh
    }

    static func ambiguous(_ count: Int) -> Problem {
        .conflict(
            "ambiguousTitle", "\(counted(count, "album", one: "has", many: "have")) this title",
            fix: "name the album by its identifier: albumctl album list")
    }

    func renameAlbum(_ identifier: LocalIdentifier, _ request: TitleRequest, by peer: Peer) async throws -> AlbumRow {
        let renaming = AlbumRenaming(localIdentifier: identifier, title: try titleBytes(request.title))
        _ = try await library.performChanges(origin: origin(peer)) { try $0.perform(.renameAlbum(renaming)) }
        return try await album(identifier)
    }

    func titleBytes(_ title: String) throws(Problem) -> PathBytes {
        try PathBytes(albumTitle: title)
    }

    /// All requests of a client in one change, or none (A54).
    func performChanges(_ request: ChangesRequest, by peer: Peer) async throws -> ChangesResult {
        var created: [LocalIdentifier] = []
        var requests: [ChangeRequest] = []
        for change in request.changes {
            let value = try changeRequest(change)
            if case .createAlbum(let creation) = value { created.append(creation.localIdentifier) }
            requests.append(value)
        }
        let committed = try await library.performChanges(origin: origin(peer)) { [requests] change in
            for request in requests {
                try change.perform(request)
            }
        }
        return ChangesResult(token: committed.token, created: created)
    }

    private func changeRequest(_ change: ClientChange) throws(Problem) -> ChangeRequest {
        func album() throws(Problem) -> LocalIdentifier {
            guard let album = change.album else { throw .badRequest("\(change.change.rawValue) needs album") }
            return album
        }
        switch change.change {
        case .createAlbum:
            let title = try titleBytes(change.title ?? "")
            return .createAlbum(AlbumCreation(localIdentifier: LocalIdentifier(machine.makeUUID()), title: title))
        case .renameAlbum:
            return .renameAlbum(AlbumRenaming(localIdentifier: try album(), title: try titleBytes(change.title ?? "")))
        case .addAssets:
            return .addAssets(AlbumAddition(album: try album(), assets: change.assets ?? [], addedBy: .person))
        case .removeAssets:
            return .removeAssets(AlbumRemoval(album: try album(), assets: change.assets ?? [], removedBy: .person))
        }
    }

    func origin(_ peer: Peer) -> String { "api uid \(peer.uid)" }
}
