import Control
import FoundationEssentials
import PhotoModel
import Platform

/// Rows for canned answers.
enum Sample {
    static let identifier = LocalIdentifier(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    static let date = Date(microseconds: 1_796_000_000_000_000)

    static func album(_ title: String = "Inbox", count: Int = 3) -> AlbumRow {
        AlbumRow(Album(localIdentifier: identifier, title: PathBytes(title), createdDate: date, count: count))
    }

    static func asset(
        _ name: PathBytes = PathBytes("a.jpg"), identifier: LocalIdentifier = Sample.identifier,
        hash: ContentHash? = ContentHash(bytes: [UInt8](repeating: 7, count: 32)), byteCount: Int64 = 3,
        residency: Residency = .local
    ) -> AssetRow {
        let content = hash.map {
            Content(hash: $0, byteCount: byteCount, contentType: "image/jpeg", fileExtension: "jpg")
        }
        let versions = content.map { [Version(content: $0, addedDate: date, residency: residency, condition: .sound)] }
        return AssetRow(
            Asset(
                localIdentifier: identifier, mediaType: .image, creationDate: date, creationDateSource: .given,
                addedDate: date, modificationDate: date, state: .live,
                resources: [Resource(type: .photo, originalFilename: name, versions: versions ?? [])]),
            isPinned: false, until: nil)
    }

    static func folder(_ path: String = "/in") -> FolderRow {
        let rule = FolderRule(path: Array(path.utf8), album: "Inbox")
        return FolderRow(rule: rule, standing: "online", watching: "inotify", isFromCommand: false)
    }

    static func status(
        isDegraded: Bool = false, library: String = "/library", token: Int64 = 7,
        deletion: DeletionStatus = DeletionStatus()
    ) -> StatusReport {
        StatusReport(
            summary: "Everything is safe.", isDegraded: isDegraded,
            problems: isDegraded ? [StatusProblem(what: "a disk failed", fix: "look at it")] : [], version: "0",
            library: library, libraryIdentifier: machine.makeUUID(), uptimeSeconds: 1, assetCount: 1, originalCount: 1,
            originalByteCount: 1234, orphanCount: 0, token: token, journaledToken: token, waiting: [:],
            sources: ["imported": 1], isScanning: false, watches: 1, overflows: 0, watcherRestarts: 0,
            deletion: deletion, cloud: CloudStatus(CloudReport(engine: "simulated")), folders: [folder()])
    }

    static func trashed(_ name: PathBytes = PathBytes("a.jpg"), state: AssetState = .trashed) -> TrashRow {
        let trashing = Trashing(date: date, reason: .person, folder: nil, runningSeconds: 0)
        let asset = Asset(
            localIdentifier: identifier, mediaType: .image, creationDate: date, creationDateSource: .given,
            addedDate: date, modificationDate: date, state: state, trashing: state == .trashed ? trashing : nil,
            resources: [Resource(type: .photo, originalFilename: name, versions: [])])
        return TrashRow(asset, folder: PathBytes("/in"), daysLeft: state == .trashed ? 30 : nil)
    }

    static let held = HeldRow(token: "5f3a9c01d2e4", folder: "/in", since: date, count: 25, paths: ["/in/a.jpg"])

    static func saved(
        _ hash: ContentHash, outcome: Outcome = .imported, name: PathBytes = PathBytes("a.jpg")
    ) -> SaveResult {
        SaveResult(
            localIdentifier: identifier, outcome: outcome, reason: .newContent, sha256: hash, originalFilename: name,
            album: nil, externalIdentifier: nil, token: 8, context: nil)
    }
}
