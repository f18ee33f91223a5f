import FoundationEssentials
import PhotoModel
import PhotoStore
import Platform
import SQLite
import TestSupport

/// Random changes, their undo, and what a person sees of the tables.
struct UndoBench {
    let home: SimulatedLibrary
    let library: PhotoLibrary
    private var random: SeededRandom
    private var fresh: UInt8 = 1
    /// Assets before the change that is being made: one that is made and deleted at once has never been seen.
    private var settled: UInt8 = 1

    init(_ home: SimulatedLibrary, seed: UInt64) throws {
        self.home = home
        library = try home.open()
        random = SeededRandom(seed: seed)
        _ = try library.onThread { library in
            try library.perform(Sample.registration(), Sample.album(100), Sample.album(101, "Best"))
        }
        for _ in 0..<4 { _ = try change([try newAsset()]) }
    }

    /// One change of these requests; nil where the library refuses it or nothing changes.
    @discardableResult
    func change(_ requests: [ChangeRequest]) throws -> Int64? {
        do {
            return try library.onThread { library in
                try library.performChanges(origin: "test") { change in
                    for request in requests { try change.perform(request) }
                }.token
            }
        } catch is LibraryError {
            return nil
        }
    }

    func undo(_ token: Int64, files: FilesBack = FilesBack(), isDryRun: Bool = false) throws -> PhotoLibrary.Undone {
        try library.onThread { library in
            guard var basis = try library.read({ try $0.undoBasis(token) }) else { throw NoSuchToken() }
            for line in try library.read({ try $0.history(after: 0, limit: .max) }) { try basis.take(line) }
            return try library.undo(basis, files: files, origin: "test", isDryRun: isDryRun)
        }
    }

    struct NoSuchToken: Error {}

    mutating func randomChange() throws -> Int64? {
        home.simulated.advance(by: .seconds(1))
        var requests: [ChangeRequest] = []
        settled = fresh - 1
        for _ in 0..<Int.random(in: 1...5, using: &random) { requests.append(try randomRequest()) }
        return try change(requests)
    }

    mutating func number(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    private mutating func newAsset() throws -> ChangeRequest {
        defer { fresh += 1 }
        return Sample.asset(fresh, try Sample.content("content \(fresh)"))
    }

    private mutating func asset() -> UInt8 { UInt8.random(in: 1...max(1, fresh - 1), using: &random) }
    private mutating func album() -> UInt8 { UInt8.random(in: 100...103, using: &random) }
    private mutating func hand() -> AddedBy { Bool.random(using: &random) ? .folder : .person }
    private mutating func path() -> String { "\(Int.random(in: 1...5, using: &random)).jpg" }

    private mutating func randomRequest() throws -> ChangeRequest {
        let (one, other) = (asset(), asset())
        switch Int.random(in: 0...13, using: &random) {
        case 0, 1: return try newAsset()
        case 2: return Sample.adding(one, other, fresh > 1 ? fresh - 1 : 1, to: album(), by: hand())
        case 3: return Sample.adding(one, to: album(), by: hand())
        case 4: return Sample.removing(one, other, from: album(), by: hand())
        case 5: return Sample.album(album(), "Made \(one)")
        case 6:
            return .renameAlbum(
                AlbumRenaming(localIdentifier: Sample.identifier(album()), title: PathBytes("Title \(one)")))
        case 7:
            return .trashAssets(
                AssetTrashing(
                    assets: [Sample.identifier(min(one, settled))], reason: .person, runningSeconds: Int64(other)))
        case 8: return .restoreAssets(AssetRestoring(assets: [Sample.identifier(one)]))
        case 9: return Sample.source(path(), one)
        case 10: return .forgetSource(Sample.key(path()))
        case 11:
            return .bindExternal(
                ExternalBinding(externalIdentifier: "e\(one % 3)", localIdentifier: Sample.identifier(other)))
        case 12:
            return .bindFolderAlbum(
                FolderAlbumBinding(
                    folder: Sample.folder, directory: PathBytes("\(one % 2)"), title: PathBytes("Inbox"),
                    album: Sample.identifier(album())))
        default:
            return .addVersion(
                VersionAddition(
                    localIdentifier: Sample.identifier(one), resourceType: .photo,
                    content: try Sample.content("edit \(other % 4)")))
        }
    }

    /// What a person sees: no dates, no row numbers, of albums the order alone, and nothing of what an undo sent to
    /// Recently Deleted.
    func visible() throws -> [String] {
        let connection = try Connection(path: "/library/catalogue.sqlite", mode: .readWrite, vfs: home.disk.name)
        defer { connection.close() }
        return try UndoBench.queries.flatMap { name, query in
            try connection.all(query) { row in "\(name) \((0..<4).map { row.value($0) })" }
        }
    }

    private static let queries: [(String, String)] = [
        (
            "asset",
            """
            SELECT uuid, state, coalesce(trashReason, ''),
                (SELECT hash FROM version JOIN resource ON resource.id = resource WHERE asset = asset.id
                 ORDER BY ordinal DESC LIMIT 1)
            FROM asset WHERE trashReason IS NULL OR trashReason <> 'undone' ORDER BY uuid
            """
        ),
        ("album", "SELECT uuid, title, 0, 0 FROM album ORDER BY uuid"),
        (
            "member",
            """
            SELECT album.uuid, asset.uuid, addedBy, 0 FROM albumMember JOIN album ON album.id = album
            JOIN asset ON asset.id = asset WHERE trashReason IS NULL OR trashReason <> 'undone'
            ORDER BY album.uuid, position, asset.uuid
            """
        ),
        (
            "removal",
            """
            SELECT album.uuid, asset.uuid, 0, 0 FROM albumRemoval JOIN album ON album.id = album
            JOIN asset ON asset.id = asset WHERE trashReason IS NULL OR trashReason <> 'undone'
            ORDER BY album.uuid, asset.uuid
            """
        ),
        (
            "source",
            """
            SELECT path, outcome, asset.uuid, reason FROM source JOIN asset ON asset.id = asset
            WHERE trashReason IS NULL OR trashReason <> 'undone' ORDER BY path
            """
        ),
        (
            "external",
            """
            SELECT externalIdentifier, asset.uuid, 0, 0 FROM externalMapping JOIN asset ON asset.id = asset
            WHERE trashReason IS NULL OR trashReason <> 'undone' ORDER BY externalIdentifier
            """
        ),
        // That a folder had an album, which went with the change that had made it, stays known: its rule may say "hold".
        (
            "binding",
            """
            SELECT directory, folderAlbum.title, albumUUID, 0 FROM folderAlbum JOIN album ON uuid = albumUUID
            ORDER BY directory
            """
        ),
    ]
}
